//! A random motion: which mechanism, with which numbers, from where and how long.

use mechan::Derived;
use mechan::format::RestitutionLaw;
use mechan::model::State;
use mechan::pipeline::{Deriver, SimulateOptions, load};
use mechan::simulate::event::Limits;
use std::cell::RefCell;
use std::rc::Rc;

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) family: &'static str,
    /// A file of `tests/ordinary/models`.
    pub(crate) model: &'static str,
    pub(crate) law: RestitutionLaw,
    pub(crate) set: Vec<(String, f64)>,
    pub(crate) t_end: f64,
    /// A length of the mechanism, m.
    pub(crate) length: f64,
    /// The angular frequency of what is moved by prescription, 0 for none, 1/s.
    pub(crate) shaken: f64,
    /// Whether work is done by what moves by prescription.
    pub(crate) driven: bool,
    /// Drawn from.
    pub(crate) drawn: (u64, usize),
}

/// Steps and events that a motion may take here.
const LIMITS: Limits = Limits { steps: 300_000, events: 40_000 };

/// The same of bodies that land, whose steps on many contacts cost a hundred times those on few: most take less than 3,000, boxes on boxes up
/// to 14,000.
pub(crate) const LANDING: Limits = Limits { steps: 20_000, events: 20_000 };

impl Case {
    pub(crate) fn sets(&self) -> Vec<String> {
        self.set.iter().map(|(name, value)| format!("{name}={value:e}")).collect()
    }

    pub(crate) fn value(&self, name: &str) -> Option<f64> {
        self.set.iter().find(|(n, _)| n == name).map(|(_, value)| *value)
    }

    pub(crate) fn put(&mut self, name: &str, value: f64) {
        match self.set.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value,
            None => self.set.push((name.to_string(), value)),
        }
    }

    /// Begins at a state of its own: what is moved by prescription has gone on by then.
    pub(crate) fn start_at(&mut self, state: &State) {
        if self.shaken > 0.0 {
            self.put("ph", self.value("ph").unwrap_or(0.0) + self.shaken * state.t);
        }
        let derived = self.derived();
        for (i, coordinate) in derived.mechanism().coordinates.iter().enumerate() {
            self.put(&coordinate.name, state.q[i]);
            self.put(&format!("dot({})", coordinate.name), state.v[i]);
        }
    }

    pub(crate) fn options(&self) -> SimulateOptions {
        SimulateOptions { set: self.sets(), t_end: self.t_end, limits: LIMITS, ..SimulateOptions::default() }
    }

    pub(crate) fn law_name(&self) -> &'static str {
        name_of(self.law)
    }

    fn file(&self) -> String {
        format!("tests/ordinary/models/{}.json", self.model)
    }

    /// A command that repeats it.
    pub(crate) fn line(&self) -> String {
        let file = self.file();
        let sets: String = self.sets().iter().map(|set| format!(" --set '{set}'")).collect();
        let own = load(&file).unwrap().mechanism.contacts[0].restitution.law;
        let (source, file) = if own == self.law {
            (String::new(), file)
        } else {
            let exchange = format!("s/{}/{}/", name_of(own), self.law_name());
            (format!("jq -r .mechanism {file} | sed {exchange} | "), "-".to_string())
        };
        format!("{source}mechan simulate {file} --t-end {:e}{sets}", self.t_end)
    }

    /// The mechanism with this law of restitution at every contact.
    pub(crate) fn derived(&self) -> Rc<Derived> {
        thread_local! {
            static KEPT: RefCell<Vec<(&'static str, &'static str, Rc<Derived>)>> = const { RefCell::new(Vec::new()) };
        }
        KEPT.with_borrow_mut(|kept| {
            let key = (self.model, self.law_name());
            if let Some((_, _, derived)) = kept.iter().find(|(model, law, _)| (*model, *law) == key) {
                return Rc::clone(derived);
            }
            let mut loaded = load(&self.file()).unwrap();
            loaded.mechanism.contacts.iter_mut().for_each(|contact| contact.restitution.law = self.law);
            let derived = Rc::new(loaded.derive(&Deriver::nobody()).unwrap());
            kept.push((key.0, key.1, Rc::clone(&derived)));
            derived
        })
    }
}

fn name_of(law: RestitutionLaw) -> &'static str {
    match law {
        RestitutionLaw::Newton => "newton",
        RestitutionLaw::Poisson => "poisson",
        RestitutionLaw::Energetic => "energetic",
    }
}
