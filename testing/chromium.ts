/// <reference lib="dom" />
/** A real browser: the system's Chromium, installed if it is missing and we have the permission. */
import { type Browser, chromium } from 'playwright-core'
import { programPath } from './debian.ts'

export type { Browser, Page, Request, Route } from 'playwright-core'

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

/** Fonts and colors do not depend on settings of the machine. */
const uniformLook = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb']

/** Chromium without windows and tabs. It needs less CPU time, but does not open links in new tabs. */
const shell = 'chromium-headless-shell'

export interface ChromiumOptions {
  /** Whether links open in new tabs. (default: false) */
  readonly hasTabs?: boolean
  /** Whether fonts and colors look the same on every machine. (default: false) */
  readonly isUniform?: boolean
}

/** Starts Chromium with an empty profile. The caller closes it. */
export function startChromium({ hasTabs = false, isUniform = false }: ChromiumOptions = {}): Promise<Browser> {
  const args = [...disabledFeatures, ...(isUniform ? uniformLook : [])]
  return chromium.launch({ executablePath: chromiumPath({ hasTabs, isUniform }), args })
}

/** The path of the browser; CHROMIUM overrides it. The two programs draw text differently. */
function chromiumPath({ hasTabs, isUniform }: Required<ChromiumOptions>): string {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  if (hasTabs) return programPath(names, 'chromium')
  return programPath(isUniform ? [shell] : [shell, ...names], shell)
}
