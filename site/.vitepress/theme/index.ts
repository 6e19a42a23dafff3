import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import CostEstimate from './cost-estimate.vue';
import MermaidDiagram from './mermaid-diagram.ts';

/** The default theme, the estimate, and the component that config.ts writes for a block of Mermaid. */
export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('CostEstimate', CostEstimate);
    app.component('MermaidDiagram', MermaidDiagram);
  },
} satisfies Theme;
