/** The flags of `nomen serve` for the branding of the console. */
import { statSync } from 'node:fs'
import { extname } from 'node:path'
import type { Settings } from '@nomen/server'
import { isColor, logoExtensions } from '@nomen/server/internal'
import { type Arguments, type Flag, inGroup } from '../command.ts'
import { CommandError, invalidValue } from '../command-error.ts'

export const consoleFlags: readonly Flag[] = inGroup('Console', [
  {
    name: 'console-title',
    environment: 'CONSOLE_TITLE',
    value: 'text',
    about: 'name of the service in the console (default: the name of the service)',
  },
  {
    name: 'console-accent',
    environment: 'CONSOLE_ACCENT',
    value: 'color',
    about: 'color of buttons and links in the console as #rrggbb, such as #0b7285 (default: an indigo)',
  },
  {
    name: 'console-logo',
    environment: 'CONSOLE_LOGO',
    value: 'path',
    about: 'image file with the logo of the console (default: the first letter of the title)',
  },
  {
    name: 'console-environment',
    environment: 'CONSOLE_ENVIRONMENT',
    value: 'name',
    about: 'environment that the console shows as a badge, such as staging or production (default: no badge)',
  },
])

export function readBranding(args: Arguments): Pick<Settings, 'consoleBranding'> {
  const title = args.text('console-title')
  const accent = args.text('console-accent')
  const logo = args.text('console-logo')
  const environment = args.text('console-environment')
  if (accent !== undefined && !isColor(accent))
    throw invalidValue(args.source('console-accent'), accent, 'a color as #rrggbb, such as #0b7285')
  if (logo !== undefined && !statSync(logo, { throwIfNoEntry: false })?.isFile())
    throw new CommandError(`${args.source('console-logo')} is "${logo}", which is not a file.`, 'Check the path.')
  if (logo !== undefined && !logoExtensions.includes(extname(logo).toLowerCase()))
    throw invalidValue(args.source('console-logo'), logo, `a file that ends in ${logoExtensions.join(', ')}`)
  const consoleBranding = {
    ...(title !== undefined && { title }),
    ...(accent !== undefined && { accent }),
    ...(logo !== undefined && { logo }),
    ...(environment !== undefined && { environment }),
  }
  return Object.keys(consoleBranding).length > 0 ? { consoleBranding } : {}
}
