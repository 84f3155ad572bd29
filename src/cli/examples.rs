//! Examples at the end of every command's help and manual page. A test runs each of them, in this order, in one empty folder that has
//! `robot.urdf`.

use clap::Command;

/// Exit statuses, under the help of the program and of every command.
pub(super) const STATUS: &str = "Exit status: 0 the question was answered, 1 the input is at fault, 2 wrong usage, 3 the numbers failed, \
130 interrupted (what is done is written).";

/// A command and its examples.
type Examples = (&'static str, &'static [&'static str]);

#[rustfmt::skip]
const EXAMPLES: &[Examples] = &[
    ("list", &["mechan list", "mechan list --format markdown --output library.md"]),
    ("show", &["mechan show falling_pencil", "mechan show ladder --output my_ladder.yaml"]),
    ("new", &["mechan new beads --like scene --output beads.yaml", "mechan new rod --output rod.yaml", "mechan new robot --like walker --output walker.yaml",
        "mechan new mine --from painleve_rod --output mine.yaml"]),
    ("check", &["mechan check rod.yaml --no-derive", "mechan check falling_pencil ladder"]),
    ("analyze", &["mechan analyze falling_pencil", "mechan analyze falling_pencil --state inconsistent --set mu=1.6",
        "mechan analyze ladder --format html --output ladder.html", "mechan analyze painleve_rod --format json --output rod.json"]),
    ("derive", &["mechan derive painleve_rod --format c", "mechan derive ladder --format model --output ladder.model.json"]),
    ("solve", &["mechan solve ladder --state standing --all",
        "mechan solve ladder --state standing --save-problem ladder.json", "mechan solve ladder.json --solver lemke"]),
    ("simulate", &["mechan simulate falling_pencil --state falling --t-end 0.5",
        "mechan simulate bouncing_ball --t-end 2 --plot q=ball.svg --output ball.csv",
        "mechan simulate brick_stack --state too_far --t-end 0.2 --bodies bricks.csv --contacts forces.csv",
        "mechan simulate painleve_rod --state inconsistent --t-end 0.1 --futures all",
        "mechan simulate wheel_on_ground --t-end 1 --scheme moreau --step 0.001"]),
    ("cycle", &["mechan cycle frictional_impact_oscillator --state inconsistent --section 'dot(theta)'"]),
    ("converge", &["mechan converge bouncing_ball --t-end 0.5 --schemes moreau,event --steps 0.01,0.005,0.0025"]),
    ("ensemble", &["mechan ensemble falling_pencil --random 'theta=0.1:1' --runs 20 --t-end 0.5 --output runs.csv",
        "mechan ensemble falling_pencil --grid mu=log:0.1:1:4 --t-end 0.5 --chunk 1/2 --output one.csv",
        "mechan ensemble falling_pencil --grid mu=log:0.1:1:4 --t-end 0.5 --chunk 2/2 --output two.csv"]),
    ("merge", &["mechan merge one.csv two.csv --output all.csv"]),
    ("map", &["mechan map falling_pencil --state inconsistent --x theta=0:pi/2:100 --y mu=0:3:100",
        "mechan map falling_pencil --state inconsistent --x theta=0:1.5:90 --y mu=log:1:30:90 -o map.svg",
        "mechan map falling_pencil --state inconsistent --x theta=0.1:1.5:90 --y mu=0:3:90 --certified",
        "mechan map ladder --state standing --x theta=0.4:1.4:20 --y mu=0.1:1:20 --quantity equilibrium",
        "mechan map bouncing_ball --x 'dot(q)=-2:-1:9' --y f=0.5:3:9 --outcome 'least(floor.gap)' --t-end 5",
        "mechan map painleve_rod --x theta=0.3:1.5:50 --y 'dot(theta)=-2:2:50' --quantity b -o b.csv"]),
    ("explore", &["mechan explore falling_pencil --state inconsistent", "mechan explore --output gallery.html"]),
    ("prove", &["mechan prove falling_pencil --claim 'no-paradox(tip)' --box theta=0:pi/2 --box mu=0:1.3 --certificate rod.cert.json",
        "mechan prove falling_pencil --claim 'b(tip) < 0' --box theta=0.1:1.5 --box 'dot(theta)=-1:1' --format json"]),
    ("import", &["mechan import robot.urdf --output robot.yaml"]),
    ("run", &["mechan run beads.yaml --steps 20 --output rows.csv --plot pile=pile.svg",
        "mechan run beads.yaml --steps 10 --checkpoint beads.json --every 5", "mechan run beads.yaml --steps 20 --resume beads.json --format json"]),
    ("bench", &["mechan bench granular --beads 24 --steps 90 --plot time=time.svg --plot friction=friction.svg",
        "mechan bench granular --beads 30 --steps 60 --only table --methods gradient"]),
    ("table", &["mechan table 2", "mechan table 4 --format json"]),
    ("schema", &["mechan schema --output mechan.schema.json", "mechan schema scene --output scene.schema.json"]),
    ("completions", &["mechan completions bash"]),
    ("man", &["mechan man ."]),
];

/// The commands with their examples.
pub(super) fn described(command: Command) -> Command {
    let command = EXAMPLES.iter().fold(command, |command, (name, examples)| {
        if command.find_subcommand(name).is_some() {
            command.mut_subcommand(name, |command| with_examples(command, examples))
        } else {
            // not in this build
            command
        }
    });
    let words = command.get_after_help().map(|words| format!("{words}\n\n")).unwrap_or_default();
    command.after_help(words + STATUS)
}

fn with_examples(command: Command, examples: &[&str]) -> Command {
    let mut words = command.get_after_help().map(|words| format!("{words}\n\n")).unwrap_or_default();
    words += "Examples:\n";
    for example in examples {
        words += "  ";
        words += example;
        words += "\n";
    }
    words += "\n";
    command.after_help(words + STATUS)
}
