/** The default theme with our colours. The fonts are those of the system, so that nothing is loaded from elsewhere. */
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
