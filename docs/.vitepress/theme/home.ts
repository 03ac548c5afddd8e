/** The layout of the home page: that of the default theme inside a main landmark, with a picture of the console. */
import { Content } from 'vitepress'
import { VPHomeContent, VPHomeFeatures, VPHomeHero } from 'vitepress/theme-without-fonts'
import { defineComponent, h } from 'vue'
import light from '../../pictures/console-list.png'
import dark from '../../pictures/console-list-dark.png'

const picture = (src: string, mode: string) =>
  h('img', { class: `console-picture ${mode}`, src, alt: 'A list in the admin console', width: 1280, height: 640 })

export const Home = defineComponent({
  setup: () => () =>
    h('main', { class: 'home' }, [
      h(VPHomeHero, null, { 'home-hero-image': () => [picture(light, 'in-light'), picture(dark, 'in-dark')] }),
      h(VPHomeFeatures),
      h(VPHomeContent, null, () => h(Content)),
    ]),
})
