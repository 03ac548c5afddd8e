/** The page: what it is told to show, and the console around it. */
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import './mantine.css'
import './style.css'
import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'
import { colours, theme } from './theme.ts'
import { keepFocus } from './view/focus.ts'

const root = document.getElementById('console')
if (!root) throw new Error('The page has no place for the console.')

keepFocus()
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={colours} defaultColorScheme="auto">
      <App />
    </MantineProvider>
  </StrictMode>,
)
