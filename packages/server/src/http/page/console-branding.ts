/** The branding of the console: title, color, logo and environment. */
import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { quoted } from '../../foundation/quoted.ts'
import { type ServeFile, staticFile } from './static-file.ts'

/** The branding of the console, so that users see which service and which environment they work in. */
export interface ConsoleBranding {
  /**
   * The name of the service in the console.
   *
   * @default the name of the service
   */
  readonly title?: string
  /**
   * The color of buttons, links and charts. The console darkens it if white text on it would be hard to read.
   *
   * @example
   * accent: '#0b7285'
   *
   * @default indigo
   */
  readonly accent?: string
  /**
   * The path of an image file: SVG, PNG, JPEG, WebP or GIF.
   *
   * @example
   * logo: 'brand/logo.svg'
   *
   * @default the first letter of the title
   */
  readonly logo?: string
  /**
   * The environment, shown as a badge. `production` is red, `staging` and `test` are orange.
   *
   * @example
   * environment: 'staging'
   *
   * @default no badge
   */
  readonly environment?: string
}

const imageTypes: { readonly [extension: string]: string } = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
}

/** The extensions of files that can be a logo. */
export const logoExtensions: readonly string[] = Object.keys(imageTypes)

/** The branding in `settings.json`, and the logo as a file of the console. */
export function readBranding({ logo, ...branding }: ConsoleBranding = {}): {
  readonly settings: ConsoleBranding
  readonly files: readonly (readonly [name: string, file: ServeFile])[]
} {
  checkAccent(branding.accent)
  if (logo === undefined) return { settings: branding, files: [] }
  const extension = extname(logo).toLowerCase()
  const mediaType = imageTypes[extension]
  if (mediaType === undefined)
    throw new Error(
      `The logo of the console is ${quoted(basename(logo))}. Use a file that ends in ${logoExtensions.join(', ')}.`,
    )
  const plain = readFileSync(logo)
  const name = `logo${extension}`
  // An SVG file can have scripts, which must not run if somebody opens it as a page.
  const headers = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" }
  const file = staticFile({ mediaType, headers, load: async () => ({ plain }) })
  return { settings: { ...branding, logo: `./${name}` }, files: [[name, file]] }
}

function checkAccent(accent: string | undefined): void {
  if (accent !== undefined && !isColor(accent))
    throw new Error(`The accent color of the console is ${quoted(accent)}. Write it as #rrggbb, such as #0b7285.`)
}

/** Whether a string is a color in hexadecimal: `#0b7285`. */
export function isColor(text: string): boolean {
  return /^#[\da-f]{6}$/i.test(text)
}
