/** The entry of the page: loads the language of the reader, then renders the console. */
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import './mantine.css'
import './style.css'
import './shell/shell.css'
import './shell/touch.css'
import './shell/phone.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadLanguage } from './language/language.ts'
import { App } from './shell/app.tsx'
import { reloadIfUpdated } from './state/reload-updated.ts'
import { keepFocus } from './view/dialog/focus.ts'

function render(): void {
  const root = document.getElementById('console')
  if (!root) throw new Error('The page has no element with the ID "console".')
  keepFocus()
  reloadIfUpdated()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

// Not a top-level await: modules that import this chunk later would wait for it.
void loadLanguage().then(render)
