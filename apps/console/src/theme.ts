/** The theme: dense, with enough contrast in light and dark. */
import { type CSSVariablesResolver, createTheme } from '@mantine/core'

/** The options scroll in the browser's own way, which keyboard users expect. */
const shortList = { maxHeight: 260, overflowY: 'auto' } as const

/** The header of a dialog is not a banner landmark. */
const plainHeader = { header: { role: 'presentation' } }

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  components: {
    Button: { styles: { label: { fontWeight: 500 } } },
    SegmentedControl: { styles: { label: { fontWeight: 500 } } },
    Badge: { styles: { root: { minWidth: 'max-content' }, label: { overflow: 'visible' } } },
    Select: { defaultProps: { withScrollArea: false, styles: { options: shortList } } },
    MultiSelect: { defaultProps: { withScrollArea: false, styles: { options: shortList } } },
    Drawer: { defaultProps: { attributes: plainHeader } },
    Modal: { defaultProps: { attributes: plainHeader } },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
})

/** The grey texts have enough contrast on every background. */
export const colours: CSSVariablesResolver = ({ colors: { gray, dark, indigo, red, teal, orange } }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-error': red[9],
    '--mantine-color-indigo-light-hover': '#d0d9ff',
    '--mantine-color-placeholder': '#5f676f',
    '--mantine-color-anchor': indigo[8],
    '--console-ground': '#f8f9fb',
    '--console-hover': '#f1f3f7',
    '--console-chosen': '#e8edff',
    '--console-good': '#0b6b3a',
    '--console-warning': '#8a4b00',
    '--console-line': gray[3],
  },
  dark: {
    '--mantine-color-dimmed': dark[1],
    '--mantine-color-error': red[4],
    '--mantine-color-placeholder': dark[1],
    '--mantine-color-anchor': indigo[3],
    '--console-ground': '#1b1c1f',
    '--console-hover': dark[6],
    '--console-chosen': '#232c4d',
    '--console-good': teal[4],
    '--console-warning': orange[3],
    '--console-line': dark[4],
  },
})
