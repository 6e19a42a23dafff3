import { useData, withBase } from 'vitepress';
import { defineComponent, h, onMounted, ref, useId, watch } from 'vue';

/** A diagram, drawn in the browser; until then, and without scripts, its source. */
export default defineComponent({
  props: { source: { type: String, required: true } },
  setup({ source }) {
    const { isDark } = useData();
    const id = `mermaid-${useId()}`;
    const text = decodeURIComponent(source);
    const place = ref<Element>();
    const svg = ref('');
    async function draw() {
      // buildEnd of config.ts copies it.
      const { default: mermaid } = await import(/* @vite-ignore */ withBase('/mermaid/mermaid.esm.min.mjs'));
      const theme = isDark.value ? 'dark' : 'default';
      mermaid.initialize({ startOnLoad: false, theme });
      // Mermaid measures its texts where they will be, with the styles of the page. It removes what has the id.
      svg.value = (await mermaid.render(`${id}-${theme}`, text, place.value)).svg;
    }
    onMounted(() => watch(isDark, draw, { immediate: true }));
    // On a phone a diagram scrolls: its texts would be too small.
    const shown = () =>
      h('div', { class: 'diagram', style: 'margin: 16px 0; overflow-x: auto' }, [
        h('div', { innerHTML: svg.value, style: 'min-width: 600px' }),
      ]);
    return () => [
      svg.value === '' ? h('pre', { style: 'overflow-x: auto' }, text) : shown(),
      h('div', { ref: place, 'aria-hidden': true }),
    ];
  },
});
