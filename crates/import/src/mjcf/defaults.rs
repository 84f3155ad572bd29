//! Attributes of MJCF elements: their own, else those of their class, of the classes around it, and of the body they are in.

use crate::diag::Diagnostic;
use crate::xml::Element;
use std::collections::BTreeMap;

/// The classes of `<default>`: each with its element and the class around it.
pub(super) struct Classes<'a> {
    by_name: BTreeMap<&'a str, (Element<'a>, Option<&'a str>)>,
}

/// The class without a name of its own.
const MAIN: &str = "main";

impl<'a> Classes<'a> {
    pub(super) fn read(root: Element<'a>) -> Self {
        let mut classes = Classes { by_name: BTreeMap::new() };
        for default in root.all("default") {
            classes.enter(default, None);
        }
        classes
    }

    fn enter(&mut self, default: Element<'a>, around: Option<&'a str>) {
        let name = default.word("class").unwrap_or(MAIN);
        self.by_name.insert(name, (default, around));
        default.all("default").for_each(|inner| self.enter(inner, Some(name)));
    }

    /// An element with what it inherits; `class` is that of the bodies around it.
    pub(super) fn of(
        &self,
        element: Element<'a>,
        class: Option<&'a str>,
        faults: &mut Vec<Diagnostic>,
    ) -> Attributes<'a> {
        let mut sources = vec![element];
        let named = element.word("class").or(class).unwrap_or(MAIN);
        if named != MAIN && !self.by_name.contains_key(named) {
            let message = format!("there is no default class `{named}`");
            faults.push(Diagnostic::error("M506", message).with_span(element.span()));
        }
        let mut at = Some(named);
        while let Some((default, around)) = at.and_then(|name| self.by_name.get(name)) {
            sources.extend(default.all_of(element.tag()));
            at = *around;
        }
        Attributes { sources }
    }
}

impl<'a> Element<'a> {
    fn all_of(self, tag: &'a str) -> impl Iterator<Item = Element<'a>> {
        self.children().filter(move |e| e.tag() == tag)
    }
}

/// An element with what it inherits, the nearest first.
pub(super) struct Attributes<'a> {
    sources: Vec<Element<'a>>,
}

impl<'a> Attributes<'a> {
    /// Of an element that inherits nothing.
    pub(super) fn of_one(element: Element<'a>) -> Self {
        Attributes { sources: vec![element] }
    }

    /// The element itself.
    pub(super) fn element(&self) -> Element<'a> {
        self.sources[0]
    }

    /// The nearest element that has one of these attributes.
    pub(super) fn source(&self, attributes: &[&str]) -> Option<Element<'a>> {
        self.sources.iter().copied().find(|e| attributes.iter().any(|a| e.word(a).is_some()))
    }

    pub(super) fn word(&self, attribute: &str) -> Option<&'a str> {
        self.source(&[attribute])?.word(attribute)
    }

    pub(super) fn numbers(&self, attribute: &str, faults: &mut Vec<Diagnostic>) -> Option<Vec<f64>> {
        self.source(&[attribute])?.numbers(attribute, faults)
    }

    pub(super) fn exactly<const N: usize>(
        &self,
        attribute: &str,
        faults: &mut Vec<Diagnostic>,
    ) -> Option<[f64; N]> {
        self.source(&[attribute])?.exactly(attribute, faults)
    }

    /// The first number of an attribute.
    pub(super) fn number(&self, attribute: &str, faults: &mut Vec<Diagnostic>) -> Option<f64> {
        self.numbers(attribute, faults)?.first().copied()
    }
}
