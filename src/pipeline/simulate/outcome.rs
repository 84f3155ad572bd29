//! What is asked of a whole motion as one number: an expression at its end, in which `first(KIND)` is the time of the first event of a kind
//! and `count(KIND)` how many there are; `first(KIND, CONTACT)` and `count(KIND, CONTACT)` are those of one contact;
//! `least(CONTACT.gap)` is its least gap on the way.

use super::engine::Kept;
use super::least::Gaps;
use super::stop::RowExpression;
use super::subject::Subject;
use crate::diag::{Diagnostic, nearest};
use crate::format::Mechanism;
use crate::model::{Model, State};
use crate::simulate::trajectory::{Event, EventKind, Status, Trajectory};

/// What a motion is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    First,
    Count,
    Least,
}

impl Asked {
    const ALL: [Self; 3] = [Self::First, Self::Count, Self::Least];

    fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Count => "count",
            Self::Least => "least",
        }
    }
}

/// A number that is made of all of a motion.
#[derive(Clone, Debug, PartialEq, Eq)]
enum OfMotion {
    /// The time of the first event of a kind.
    First(OfEvents),
    /// How many there are.
    Count(OfEvents),
    /// The least gap of a contact.
    LeastGap(usize),
}

/// Events of a kind, of one contact or of all.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OfEvents {
    kind: EventKind,
    contact: Option<String>,
}

/// One number of a motion.
pub(in crate::pipeline) struct OutcomeExpression {
    expression: RowExpression,
    whole: Vec<OfMotion>,
    /// Where contacts are, for least gaps.
    gaps: Gaps,
    /// How many columns a row has.
    columns: usize,
    /// Places of a row that it reads.
    reads: Vec<usize>,
    /// Those up to here are time, coordinates and velocities.
    own: usize,
}

/// Why a motion has no such number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pipeline) enum NoOutcome {
    /// It ended before its time.
    Early(Status),
    /// There was no such event.
    NoEvent,
    /// What was asked for is no number there.
    NoNumber,
}

impl OutcomeExpression {
    /// From its text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(in crate::pipeline) fn parse(
        (mechanism, model): (&Mechanism, &Model),
        subject: &Subject,
        text: &str,
    ) -> Result<Self, Diagnostic> {
        let (mut rewritten, mut whole, mut names) = (text.to_string(), Vec::new(), Vec::<String>::new());
        let mut from = 0;
        while let Some(call) = next_call(&rewritten, from) {
            let found = call.read(&rewritten, &subject.names.contacts)?;
            let mut name: String = rewritten[call.begin..call.end].chars().map(plain).collect();
            // a name is that of one number
            while names.iter().zip(&whole).any(|(known, other)| *known == name && *other != found) {
                name.push('_');
            }
            from = call.begin + name.len();
            rewritten.replace_range(call.begin..call.end, &name);
            if !names.contains(&name) {
                names.push(name);
                whole.push(found);
            }
        }
        let of_row = (&subject.columns[..], &names[..]);
        let expression = RowExpression::parse_with(mechanism, of_row, &rewritten, "an outcome")?;
        let own = 1 + 2 * mechanism.coordinates.len();
        let reads = expression.places().into_iter().collect();
        let gaps = Gaps::of(mechanism, model);
        Ok(Self { expression, whole, gaps, columns: subject.columns.len(), reads, own })
    }

    /// Which rows of a motion it needs.
    pub(in crate::pipeline) fn needs(&self) -> Kept {
        match self.whole.iter().any(|number| matches!(number, OfMotion::LeastGap(_))) {
            true => Kept::All,
            false if self.reads_contacts() => Kept::Last,
            false => Kept::Nothing,
        }
    }

    /// Whether it has numbers of contacts, which stand in the rows of a motion alone.
    fn reads_contacts(&self) -> bool {
        self.reads.iter().any(|place| (self.own..self.columns).contains(place))
    }

    /// Its value for a motion that ended at a state.
    ///
    /// # Errors
    /// Why there is none.
    pub(in crate::pipeline) fn value(&self, motion: &Trajectory, end: &State) -> Result<f64, NoOutcome> {
        let mut row = vec![f64::NAN; self.columns + self.whole.len()];
        row[0] = end.t;
        row[1..self.own].iter_mut().zip(end.q.iter().chain(&end.v)).for_each(|(place, x)| *place = *x);
        if let Some(last) = motion.rows.last() {
            let contacts = self.own..self.columns;
            row[contacts.clone()].iter_mut().zip(&last[contacts]).for_each(|(place, x)| *place = x.0);
        }
        let whole = matches!(motion.status, Status::End | Status::Stopped);
        for &place in &self.reads {
            match place.checked_sub(self.columns) {
                Some(k) => row[place] = self.of_motion(&self.whole[k], (motion, end), whole)?,
                // where it would have been at its end nobody knows
                None if !whole => return Err(NoOutcome::Early(motion.status)),
                None => {}
            }
        }
        let value = self.expression.value(&end.parameters, &row);
        if value.is_nan() { Err(NoOutcome::NoNumber) } else { Ok(value) }
    }
}

impl OutcomeExpression {
    /// What has happened is known of every motion; what has not, of one that was followed to its end alone.
    fn of_motion(
        &self,
        number: &OfMotion,
        (motion, end): (&Trajectory, &State),
        whole: bool,
    ) -> Result<f64, NoOutcome> {
        let early = Err(NoOutcome::Early(motion.status));
        match number {
            OfMotion::First(events) => match events.of(motion).next() {
                Some(event) => Ok(event.t.0),
                None if whole => Err(NoOutcome::NoEvent),
                None => early,
            },
            OfMotion::Count(events) if whole || events.is_last(motion) => {
                Ok(events.of(motion).count() as f64)
            }
            OfMotion::LeastGap(contact) if whole => Ok(self.gaps.least(motion, end, *contact)),
            OfMotion::Count(_) | OfMotion::LeastGap(_) => early,
        }
    }
}

impl OfEvents {
    fn of<'m>(&'m self, motion: &'m Trajectory) -> impl Iterator<Item = &'m Event> {
        let of_contact = |event: &&Event| self.contact.is_none() || event.contact == self.contact;
        motion.events.iter().filter(|event| event.kind == self.kind).filter(of_contact)
    }

    /// Whether no event follows one that ends the motion.
    fn is_last(&self, motion: &Trajectory) -> bool {
        match self.kind {
            EventKind::Inconsistent => motion.status == Status::Inconsistent,
            EventKind::Indeterminate => motion.status == Status::Indeterminate,
            _ => false,
        }
    }
}

/// `first(..)`, `count(..)` or `least(..)` in a text, by its bytes.
struct Call {
    asked: Asked,
    begin: usize,
    /// Behind the opening parenthesis.
    inside: usize,
    /// Behind the closing one.
    end: usize,
}

impl Call {
    fn read(&self, text: &str, contacts: &[String]) -> Result<OfMotion, Diagnostic> {
        let inside = &text[self.inside..self.end - 1];
        Ok(match self.asked {
            Asked::First => OfMotion::First(self.events(inside, contacts)?),
            Asked::Count => OfMotion::Count(self.events(inside, contacts)?),
            Asked::Least => OfMotion::LeastGap(gap_of(inside.trim(), contacts)?),
        })
    }

    fn events(&self, inside: &str, contacts: &[String]) -> Result<OfEvents, Diagnostic> {
        let word = self.asked.word();
        let (kind, contact) = match inside.split_once(',') {
            Some((kind, contact)) => (kind.trim(), Some(contact.trim())),
            None => (inside.trim(), None),
        };
        let kinds = || EventKind::ALL.into_iter().map(EventKind::name);
        let Some(found) = EventKind::ALL.into_iter().find(|known| known.name() == kind) else {
            let fault = Diagnostic::error("M106", format!("there is no kind of event `{kind}`"));
            return Err(match nearest(kind, kinds()) {
                Some(close) => fault.with_hint(format!("did you mean `{word}({close})`?")),
                None => fault.with_hint(format!("the kinds are {}", kinds().collect::<Vec<_>>().join(", "))),
            });
        };
        match contact.filter(|name| !contacts.iter().any(|known| known == name)) {
            Some(name) => {
                let fault = Diagnostic::error("M106", format!("there is no contact `{name}`"));
                Err(fault.with_hint(format!("the contacts are {}", contacts.join(", "))))
            }
            None => Ok(OfEvents { kind: found, contact: contact.map(str::to_string) }),
        }
    }
}

/// The contact of `NAME.gap`.
fn gap_of(text: &str, contacts: &[String]) -> Result<usize, Diagnostic> {
    let contact = text.strip_suffix(".gap").and_then(|name| contacts.iter().position(|known| known == name));
    contact.ok_or_else(|| {
        let known = contacts.iter().map(|name| format!("least({name}.gap)")).collect::<Vec<_>>().join(", ");
        let fault = Diagnostic::error("M106", format!("`{text}` is no gap of a contact"));
        let none = "least(CONTACT.gap) is the least gap of a contact, and there are none".to_string();
        fault.with_hint(if contacts.is_empty() { none } else { format!("there are {known}") })
    })
}

/// The next call from a byte on; one without a closing parenthesis is left to the parser.
fn next_call(text: &str, from: usize) -> Option<Call> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let of = |asked: Asked| {
        text[from..].match_indices(asked.word()).find_map(|(at, word)| {
            let (begin, after) = (from + at, from + at + word.len());
            let inside =
                after + 1 + text[after..].find('(').filter(|k| text[after..after + k].trim().is_empty())?;
            let end = inside + text[inside..].find(')')? + 1;
            (!text[..begin].ends_with(is_part)).then_some(Call { asked, begin, inside, end })
        })
    };
    Asked::ALL.into_iter().filter_map(of).min_by_key(|call| call.begin)
}

/// A byte of a name for what is asked, so that places in the text stay.
fn plain(c: char) -> char {
    if c.is_ascii_alphanumeric() { c } else { '_' }
}

#[cfg(test)]
mod tests {
    use super::{Asked, next_call};

    #[test]
    fn calls_are_found_as_words() {
        let call =
            |text: &str| next_call(text, 0).map(|call| (call.asked, text[call.begin..call.end].to_string()));
        assert_eq!(call("1 - first(lift-off)/2"), Some((Asked::First, "first(lift-off)".to_string())));
        assert_eq!(
            call("count (stick, tip) - first(jam)"),
            Some((Asked::Count, "count (stick, tip)".to_string()))
        );
        assert_eq!(call("1 + least(tip.gap)"), Some((Asked::Least, "least(tip.gap)".to_string())));
        assert_eq!(call("thirst + xfirst(jam)"), None);
        assert_eq!(call("first + 2*(x)"), None);
        assert_eq!(call("first(jam"), None);
    }
}
