/** The theme: dense, with enough contrast in light and dark, and with the accent color of the settings. */
import { type CSSVariablesResolver, createTheme, DEFAULT_THEME, type MantineColorsTuple } from '@mantine/core'
import { accentShades } from './accent.ts'

/** The options scroll in the browser's own way, which keyboard users expect. */
const shortList = { maxHeight: 260, overflowY: 'auto' } as const

/** The header of a dialog is not a banner landmark. */
const plainHeader = { header: { role: 'presentation' } }

/** The dark grays have the same hue as the light ones. */
const dark: MantineColorsTuple = [
  '#d3d8e0',
  '#b3bac6',
  '#878f9d',
  '#626a78',
  '#3d4450',
  '#323843',
  '#272c36',
  '#1b1f27',
  '#14171d',
  '#0e1014',
]

/** Undefined stands for the default color. */
export function themeWith(accent: string | undefined) {
  return createTheme({
    primaryColor: 'accent',
    primaryShade: { light: 7, dark: 7 },
    colors: { accent: accent === undefined ? DEFAULT_THEME.colors.indigo : accentShades(accent), dark },
    defaultRadius: 'sm',
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
    fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, monospace',
    fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
    components: {
      Button: { styles: { label: { fontWeight: 500 } } },
      SegmentedControl: {
        defaultProps: { withItemsBorders: false },
        styles: { root: { background: 'var(--console-track)' }, label: { fontWeight: 500 } },
      },
      Badge: { styles: { root: { minWidth: 'max-content' }, label: { overflow: 'visible' } } },
      // Accessibility rules want all content inside a landmark.
      Combobox: { defaultProps: { portalProps: { target: 'main' } } },
      Select: { defaultProps: { withScrollArea: false, styles: { options: shortList } } },
      MultiSelect: { defaultProps: { withScrollArea: false, styles: { options: shortList } } },
      Drawer: { defaultProps: { attributes: plainHeader }, styles: { title: { fontWeight: 600 } } },
      Modal: { defaultProps: { attributes: plainHeader } },
      // Inputs beside each other have the same height above them, whether they have a description or not.
      InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] } },
    },
    cursorType: 'pointer',
    respectReducedMotion: true,
  })
}

/**
 * The gray texts have enough contrast on every background. The frame, the page and the sheets on it are different grays, the
 * frame the farthest from the sheets.
 */
export const colors: CSSVariablesResolver = ({ colors: { gray, dark: grey, accent, red, teal, orange } }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-error': red[9],
    '--mantine-color-accent-light-hover': accent?.[1] ?? '',
    '--mantine-color-accent-light-color': accent?.[9] ?? '',
    '--mantine-color-placeholder': '#5f676f',
    '--mantine-color-anchor': accent?.[8] ?? '',
    '--console-frame': '#f1f3f6',
    '--console-ground': '#f8f9fb',
    '--console-heading': '#1a1d23',
    '--console-hover': '#f1f3f7',
    '--console-selected': accent?.[0] ?? '',
    '--console-good': '#0b6b3a',
    '--console-warning': '#8a4b00',
    '--console-line': gray[3],
    '--console-track': gray[2],
  },
  dark: {
    '--mantine-color-dimmed': grey[1],
    '--mantine-color-error': red[4],
    '--mantine-color-placeholder': grey[1],
    '--mantine-color-anchor': accent?.[3] ?? '',
    '--mantine-color-accent-light-color': accent?.[2] ?? '',
    '--console-frame': grey[9],
    '--console-ground': grey[8],
    '--console-heading': '#f1f3f5',
    '--console-hover': grey[6],
    '--console-selected': `color-mix(in srgb, ${accent?.[7]} 32%, ${grey[7]})`,
    '--console-good': teal[4],
    '--console-warning': orange[3],
    '--console-line': grey[4],
    '--console-track': grey[9],
    // Mantine's is darker than the sheets.
    '--mantine-color-gray-light': grey[5],
  },
})
