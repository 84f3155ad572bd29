// Keys of the whole page; those of the map and of the picture stand with them.

const typing = (element) => ["INPUT", "TEXTAREA", "SELECT", "BUTTON", "SUMMARY"].includes(element?.tagName) || element?.isContentEditable;

const listen = () => {
  document.addEventListener("keydown", (event) => {
    const command = event.ctrlKey || event.metaKey;
    if (command && !["INPUT", "TEXTAREA"].includes(event.target.tagName) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      if (event.shiftKey) redo();
      else undo();
    } else if (command && event.key.toLowerCase() === "y" && !["INPUT", "TEXTAREA"].includes(event.target.tagName)) {
      event.preventDefault();
      redo();
    } else if (event.key === " " && !typing(event.target)) {
      event.preventDefault();
      motion.toggle();
    }
  });
};
