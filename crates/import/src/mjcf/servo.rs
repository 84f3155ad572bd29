//! Actuators of MJCF that are position servos: `<position>`, and `<general>` with the bias of one. What they pull with is
//! g (kp (c − g q) − kv g dq/dt) for a gear g and a control c.

use super::Reader;
use super::defaults::Attributes;
use crate::robot::Servo;
use crate::xml::Element;

impl<'a> Reader<'a> {
    /// Gives joints their servos, at the controls of the first key frame that has some, or 0.
    pub(super) fn servos(&mut self, root: Element<'a>) {
        let actuators: Vec<Element<'a>> = root.all("actuator").flat_map(|group| group.children()).collect();
        let keys = root.all("keyframe").flat_map(|frames| frames.all("key"));
        let controls = keys.filter_map(|key| key.numbers("ctrl", &mut self.faults)).next();
        let controls = controls.filter(|all| all.len() == actuators.len());
        for (k, &actuator) in actuators.iter().enumerate() {
            let of = self.classes.of(actuator, None, &mut self.faults);
            let control = controls.as_ref().map_or(0.0, |all| all[k]);
            let Some((name, servo)) = self.servo(&of, control) else { continue };
            let joints = self.links.iter_mut().flat_map(|link| &mut link.joints);
            let Some(joint) = joints.into_iter().find(|joint| joint.name == name) else { continue };
            if joint.servo.is_none() {
                joint.servo = Some(servo);
                self.omitted.retain(|note| note.span != actuator.span());
            }
        }
    }

    /// The joint of a servo, and what it does; none of another actuator, or one that does more.
    fn servo(&mut self, of: &Attributes<'a>, control: f64) -> Option<(&'a str, Servo)> {
        let faults = &mut self.faults;
        let joint = of.word("joint")?;
        let [gains, biases, gears, range] = ["gainprm", "biasprm", "gear", "forcerange"]
            .map(|attribute| of.numbers(attribute, faults).unwrap_or_default());
        let first = |list: &[f64]| list.first().copied().unwrap_or(1.0);
        let (stiffness, damping) = match of.element().tag() {
            "position" if of.word("dampratio").is_none() && of.word("timeconst").is_none() => {
                (of.number("kp", faults).unwrap_or(1.0), of.number("kv", faults).unwrap_or(0.0))
            }
            "general"
                if of.word("biastype") == Some("affine")
                    && of.word("dyntype").is_none_or(|w| w == "none") =>
            {
                let gain = first(&gains);
                let bias = |k: usize| biases.get(k).copied().unwrap_or(0.0);
                let pulls_back = bias(0) == 0.0 && (bias(1) + gain).abs() <= f64::EPSILON * gain.abs();
                pulls_back.then(|| (gain, -bias(2)))?
            }
            _ => return None,
        };
        let gear = first(&gears);
        let limit = match range[..] {
            [low, high] if of.word("forcelimited") != Some("false") && low < high => {
                // one that pulls more than it pushes is none of ours
                (low + high == 0.0).then_some(Some(high))?
            }
            _ => None,
        };
        if !(stiffness > 0.0 && damping >= 0.0 && gear > 0.0) {
            return None;
        }
        let name = of.word("name").unwrap_or(joint).to_string();
        let (stiffness, damping) = (gear * gear * stiffness, gear * gear * damping);
        let limit = limit.map(|limit| gear * limit);
        Some((joint, Servo { name, stiffness, damping, limit, target: control / gear }))
    }
}
