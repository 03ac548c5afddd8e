/** A real browser: the system's Chromium, installed where it is missing and we may. */
import { type Browser, chromium } from 'playwright-core'
import { programPath } from './debian.ts'

export type { Browser, Page } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** What a browser in tests has no use for, and must not ask the network for. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts it with an empty profile. Whoever starts it closes it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: quiet })
}

/** Where the browser is; CHROMIUM may say so. */
function chromiumPath(): string {
  return process.env.CHROMIUM ?? programPath(names, 'chromium')
}
