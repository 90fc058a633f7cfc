document.title = "started";
