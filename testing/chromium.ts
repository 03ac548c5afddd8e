/// <reference lib="dom" />
/** A real browser: the system's Chromium, installed if it is missing and we have the permission. */
import { type Browser, chromium } from 'playwright-core'
import { programPath } from './debian.ts'

export type { Browser, Page, Route } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Features that tests do not need, and that must not use the network. */
const disabledFeatures = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts Chromium with an empty profile. The caller closes it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: disabledFeatures })
}

/** The path of the browser; CHROMIUM overrides it. */
function chromiumPath(): string {
  return process.env.CHROMIUM ?? programPath(names, 'chromium')
}
