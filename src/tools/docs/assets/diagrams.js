// Draws the diagrams in the colours of the site, and again when the colour mode changes. Without scripts, their source
// text is shown.
{
  const root = document.documentElement;
  const diagrams = [...document.querySelectorAll('pre.mermaid')].map((node) => ({ node, text: node.textContent }));
  const colour = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();

  function theme() {
    const [paper, shade, ink, soft] = ['paper', 'shade', 'ink', 'soft'].map(colour);
    return {
      darkMode: root.classList.contains('dark'),
      background: paper,
      mainBkg: shade,
      primaryColor: shade,
      primaryTextColor: ink,
      primaryBorderColor: soft,
      secondaryColor: shade,
      tertiaryColor: paper,
      lineColor: soft,
      textColor: ink,
      nodeBorder: soft,
      edgeLabelBackground: paper,
      labelBackgroundColor: paper,
      transitionColor: soft,
      transitionLabelColor: ink,
      attributeBackgroundColorOdd: paper,
      attributeBackgroundColorEven: shade,
    };
  }

  async function draw() {
    const mode = root.classList.contains('dark') ? 'dark' : 'light';
    globalThis.mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      theme: 'base',
      themeVariables: theme(),
      fontFamily: colour('sans'),
    });
    for (const [index, { node, text }] of diagrams.entries()) {
      const { svg } = await globalThis.mermaid.render(`diagram-${index}`, text);
      node.innerHTML = svg;
      node.setAttribute('role', 'img');
      node.setAttribute('aria-label', 'Diagram; the table below says the same.');
      node.dataset.drawn = mode;
    }
  }

  document.addEventListener('mode', draw);
  draw();
}
