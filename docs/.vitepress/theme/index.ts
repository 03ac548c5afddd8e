/** The default theme with our own styles. The fonts are those of the system, so that nothing is loaded from elsewhere. */
import type { Theme } from 'vitepress'
import defaultTheme from 'vitepress/theme-without-fonts'
import { Home } from './home.ts'
import './style.css'

const theme: Theme = {
  extends: defaultTheme,
  // VitePress uses a registered component instead of its own layout of this name.
  enhanceApp: ({ app }) => void app.component('home', Home),
}

export default theme
