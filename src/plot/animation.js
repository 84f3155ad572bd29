const canvas = document.getElementById('film'), pen = canvas.getContext('2d');
const slider = document.getElementById('at'), button = document.getElementById('play'), told = document.getElementById('told');
const [width, height] = film.size, dots = Math.min(3, (window.devicePixelRatio || 1) * 2);
canvas.style.width = 'min(100%, ' + (80 * width / height).toFixed(2) + 'vh)';
canvas.width = width * dots; canvas.height = height * dots;
const mix = (from, to, share) => 'rgb(' + from.map((x, k) => Math.round(x + (to[k] - x) * share)).join(',') + ')';
function body(frame, k) {
  const [x, y, far] = frame.b.slice(3 * k, 3 * k + 3), share = far / 99;
  pen.beginPath();
  if (film.radii[k] > 0) pen.arc(x / 10, y / 10, film.radii[k], 0, 7);
  else { const p = frame.p[k]; for (let i = 0; i < p.length; i += 2) pen.lineTo(p[i] / 10, p[i + 1] / 10); pen.closePath(); }
  pen.fillStyle = mix(film.sky, film.paper, 0.35 + 0.5 * share); pen.fill();
  pen.strokeStyle = mix(film.slate, film.paper, 0.3 + 0.5 * share); pen.lineWidth = 0.5; pen.stroke();
}
function line(points) {
  pen.beginPath();
  for (let i = 0; i < points.length; i += 2) pen.lineTo(points[i] / 10, points[i + 1] / 10);
  pen.stroke();
}
function draw(k) {
  const frame = film.frames[k];
  pen.setTransform(dots, 0, 0, dots, 0, 0);
  pen.clearRect(0, 0, width, height);
  const order = [...film.radii.keys()].sort((a, b) => frame.b[3 * b + 2] - frame.b[3 * a + 2] || a - b);
  order.forEach(i => body(frame, i));
  pen.strokeStyle = film.ink; pen.lineWidth = 1;
  film.still.forEach(line); frame.s.forEach(line);
  for (let i = 0; i < frame.l.length; i += 6) {
    const [x, y, to, down, weight, far] = frame.l.slice(i, i + 6);
    pen.strokeStyle = mix(film.red, film.paper, 0.5 * far / 99); pen.lineWidth = weight / 100;
    pen.beginPath(); pen.moveTo(x / 10, y / 10); pen.lineTo(to / 10, down / 10); pen.stroke();
  }
  slider.value = k;
  told.textContent = 't = ' + frame.t.toFixed(3) + ' s, ' + frame.c + ' contacts, normal forces up to ' + frame.f;
}
let now = 0, since = null, begun = 0;
const last = film.frames.length - 1;
function tick(time) {
  if (since === null) return;
  const t = begun + (time - since) / 1000;
  while (now < last && film.frames[now + 1].t <= t) now++;
  draw(now);
  if (now === last) return stop();
  requestAnimationFrame(tick);
}
function stop() { since = null; button.textContent = 'Play'; }
function play() {
  if (now === last) now = 0;
  begun = film.frames[now].t; since = performance.now(); button.textContent = 'Pause';
  requestAnimationFrame(tick);
}
button.onclick = () => since === null ? play() : stop();
slider.oninput = () => { stop(); now = +slider.value; draw(now); };
slider.max = last;
draw(now);
if (!matchMedia('(prefers-reduced-motion: reduce)').matches) play();
