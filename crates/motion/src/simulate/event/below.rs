//! The last guard against an impact that was overlooked: no state of a motion has an open contact below its surface.

use super::phase::Phases;
use super::record::Record;
use super::watch::Watch;
use crate::num::Tol;

impl Phases<'_> {
    /// Tells the record where a contact that is watched as open is below its surface at the state that was evaluated last.
    pub(super) fn look_below(&self, record: &mut Record<'_>) {
        let (mechanics, n) = (&self.mechanics, self.n());
        let state = (&self.y[..n], &self.y[n..2 * n]);
        let open = mechanics.watches.iter().filter(|watch| matches!(watch, Watch::Gap(_)));
        for &watch in open {
            let (Watch::Gap(contact), gap) = (watch, watch.value(mechanics)) else { continue };
            // of a mechanism without a length, the gap that opens has no size but its own rounding
            let leaves = self.accuracy.length <= 0.0 && mechanics.gap_rate(contact) >= 0.0;
            if gap >= 0.0 || leaves {
                continue;
            }
            let size = watch.size(mechanics, state, self.h).max(self.accuracy.length);
            if gap < -Tol::default().closed * size {
                record.missed = Some(format!(
                    "an impact was overlooked: after t = {} contact `{}` is {:e} below its surface",
                    self.t, record.names.contacts[contact], -gap
                ));
            }
        }
    }
}
