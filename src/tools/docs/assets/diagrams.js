// Draws the diagrams, and draws them again when the colour mode changes. Without scripts, their source text is shown.
{
  const diagrams = [...document.querySelectorAll('pre.mermaid')].map((node) => ({ node, text: node.textContent }));

  async function draw() {
    const theme = document.documentElement.classList.contains('dark') ? 'dark' : 'neutral';
    globalThis.mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme, fontFamily: 'system-ui, sans-serif' });
    for (const [index, { node, text }] of diagrams.entries()) {
      const { svg } = await globalThis.mermaid.render(`diagram-${index}`, text);
      node.innerHTML = svg;
      node.setAttribute('role', 'img');
      node.dataset.drawn = theme;
    }
  }

  document.addEventListener('mode', draw);
  draw();
}
