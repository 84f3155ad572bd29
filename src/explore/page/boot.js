// Unpacks the page's script and lets it run: the policy of the page knows its digest.

const refuse = (message) => {
  const place = document.getElementById("fault");
  place.hidden = false;
  place.textContent = message;
  document.documentElement.dataset.ready = "true";
};

if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
  refuse("This page needs a browser with WebAssembly and DecompressionStream (any of 2023 or later), and neither may be switched off. `mechan analyze` says the same on the command line.");
} else {
  // the worker wakes while there is nothing to do; without one the page asks its own engine
  let worker = null;
  try {
    worker = new Worker(URL.createObjectURL(new Blob([document.getElementById("worker").textContent], { type: "text/javascript" })));
  } catch {
    // some places allow none
  }
  const module = inflated(packedIn("core")).then((parted) => WebAssembly.compile(joined(parted)));
  const parts = { worker, module, data: inflated(packedIn("data")) };
  if (worker) {
    worker.onerror = (event) => {
      event.preventDefault();
      parts.worker = null;
    };
  }
  window.mechan = parts;
  inflated(packedIn("source")).then((bytes) => {
    const script = document.createElement("script");
    script.textContent = new TextDecoder().decode(bytes);
    document.head.append(script);
  }).catch((error) => refuse(`This page is not whole: ${error.message}`));
}
