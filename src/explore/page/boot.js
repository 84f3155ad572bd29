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
  unpacked("source").then((bytes) => {
    const script = document.createElement("script");
    script.textContent = new TextDecoder().decode(bytes);
    document.head.append(script);
  }).catch((error) => refuse(`This page is not whole: ${error.message}`));
}
