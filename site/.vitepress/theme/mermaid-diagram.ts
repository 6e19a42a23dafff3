import { useData } from 'vitepress';
import { defineComponent, h, onMounted, ref, useId, watch } from 'vue';

/** A diagram, drawn in the browser; until then, and without scripts, its source. */
export default defineComponent({
  props: { source: { type: String, required: true } },
  setup({ source }) {
    const { isDark } = useData();
    const id = `mermaid-${useId()}`;
    const text = decodeURIComponent(source);
    const svg = ref('');
    async function draw() {
      const { default: mermaid } = await import('mermaid');
      mermaid.initialize({ startOnLoad: false, theme: isDark.value ? 'dark' : 'default' });
      svg.value = (await mermaid.render(id, text)).svg;
    }
    onMounted(() => watch(isDark, draw, { immediate: true }));
    return () => (svg.value === '' ? h('pre', text) : h('div', { class: 'mermaid', innerHTML: svg.value }));
  },
});
