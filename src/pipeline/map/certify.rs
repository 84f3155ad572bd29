//! What is proven of a map: where each of its classes holds, as claims over its two ranges.

use super::MapStudy;
use super::ask::MapOptions;
use super::fault::MapFault;
use super::quantity::{Quantity, WordOf};
use crate::analysis::map::{Certified, CertifiedRegion, Class, Rectangle};
use crate::model::Model;
use crate::num::Number;
use crate::pipeline::prove::{ENOUGH, ProveOptions, Regions, regions};
use crate::pipeline::{Failure, Loaded, Usage};
use crate::prove::{Budget, Region};

/// Words that a verdict in the plane can have.
const VERDICTS: [&str; 3] = ["consistent", "inconsistent", "indeterminate"];

/// What is proven of the map that is asked for.
///
/// # Errors
/// [`Failure`] if the quantity has no claims, or they cannot be asked here.
pub fn certify(
    loaded: &Loaded,
    model: &Model,
    study: &MapStudy<'_>,
    options: &MapOptions,
    boxes: usize,
) -> Result<Certified, Failure> {
    let classes = classes(loaded, study, options).map_err(Usage::from)?;
    let usual = Budget::default();
    let asked = ProveOptions {
        state: Some(study.state().to_string()),
        set: options.set.clone(),
        claims: classes.iter().map(|class| class.1.clone()).collect(),
        given: Vec::new(),
        boxes: [&options.x, &options.y].map(|text| range(text)).to_vec(),
        budget: Budget { parts: boxes, threads: study.threads, ..usual },
        resume: None,
    };
    let Regions { certificates, parts, boxes, uncompared, held } = regions(loaded, model, &asked)?;
    let rectangle = |(region, ends): (Region, [[f64; 2]; 2])| {
        let class = match region {
            Region::Claim(k) => Some(classes[k].0),
            Region::Nothing => Some(Class::Undefined),
            Region::Open => None,
        };
        Rectangle { class, ends }
    };
    let rectangles: Vec<Rectangle> = parts.into_iter().map(rectangle).collect();
    let size = |part: &Rectangle| part.ends.iter().map(|[lo, hi]| hi - lo).product::<f64>();
    let all: f64 = rectangles.iter().map(size).sum();
    let share = |class: Option<Class>| {
        Number(rectangles.iter().filter(|part| part.class == class).map(size).sum::<f64>() / all)
    };
    let found = classes.iter().zip(certificates).filter_map(|((class, claim), certificate)| {
        let area = share(Some(*class));
        let certificate = certificate.ok().filter(|_| area.0 > 0.0)?;
        Some(CertifiedRegion { claim: claim.clone(), area, certificate })
    });
    Ok(Certified {
        regions: found.collect(),
        undecided: share(None),
        thin: share(None).0 <= ENOUGH,
        boxes,
        held,
        not_compared: uncompared,
        points: 0,
        contradicted: 0,
        rectangles,
    })
}

/// The classes of a map, each with its claim.
fn classes(
    loaded: &Loaded,
    study: &MapStudy<'_>,
    options: &MapOptions,
) -> Result<Vec<(Class, String)>, MapFault> {
    let name = options.quantity.trim();
    match Quantity::parse(&loaded.mechanism, name)? {
        Quantity::Word(WordOf::Verdict) => {
            Ok(VERDICTS.map(|word| (Class::Word(word), format!("verdict({word})"))).to_vec())
        }
        Quantity::Word(_) => Err(MapFault::Uncertified { quantity: name.to_string() }),
        Quantity::Number(_) | Quantity::Expression { .. } if study.levels.is_empty() => {
            Err(MapFault::NoRegions { quantity: name.to_string() })
        }
        Quantity::Number(_) | Quantity::Expression { .. } => {
            let quantity = if name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                name.to_string()
            } else {
                format!("({name})")
            };
            let (above, below) = (study.levels.iter(), study.levels.iter());
            let above = std::iter::once(None).chain(above.map(|level| Some(format!("{quantity} > {level}"))));
            let below = below.map(|level| Some(format!("{quantity} < {level}"))).chain([None]);
            let between = above.zip(below).map(|(above, below)| [above, below]);
            let claim =
                |ends: [Option<String>; 2]| ends.into_iter().flatten().collect::<Vec<_>>().join(" and ");
            Ok(between.enumerate().map(|(k, ends)| (Class::Above(k), claim(ends))).collect())
        }
    }
}

/// `name=LO:HI` of `name=LO:HI:N` or `name=log:LO:HI:N`.
fn range(text: &str) -> String {
    let Some((name, values)) = text.split_once('=') else { return text.to_string() };
    let values = values.trim().strip_prefix("log:").unwrap_or(values);
    values.rsplit_once(':').map_or_else(|| text.to_string(), |(ends, _)| format!("{name}={ends}"))
}
