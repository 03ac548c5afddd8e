/** The settings of log shipping: flags of `nomen ship`, and environment variables for `nomen serve`. */
import type { ShipSettings } from '@nomen/server/ship'
import type { Flag } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { environmentValue } from '../environment.ts'
import { statsOf } from '../input-file.ts'

export const shipFlags: readonly Flag[] = [
  {
    name: 'instance',
    environment: 'SHIP_INSTANCE',
    value: 'name',
    about: 'name of this instance (default: the host name)',
  },
  {
    name: 'label',
    environment: 'SHIP_LABELS',
    value: 'name=value,…',
    about: 'more labels, such as region=eu; use labels with few values',
  },
  { name: 'facility', environment: 'SHIP_FACILITY', value: 'name', about: 'syslog facility (default: local0)' },
  {
    name: 'ca',
    environment: 'SHIP_CA',
    value: 'file',
    about: 'trusted CA certificates, in PEM (default: those of Node)',
  },
  { name: 'cert', environment: 'SHIP_CERT', value: 'file', about: 'client certificate, in PEM' },
  { name: 'key', environment: 'SHIP_KEY', value: 'file', about: 'private key of the client certificate, in PEM' },
]

/** `text` gives the value of a flag. Headers have no flag: they may contain secrets, and other users can see a command line. */
export function shipSettings(to: string, text: (flag: string) => string | undefined): ShipSettings {
  const [instance, label, facility] = [text('instance'), text('label'), text('facility')]
  const [ca, cert, key, headers] = [text('ca'), text('cert'), text('key'), environmentValue('SHIP_HEADERS')]
  for (const file of [ca, cert, key]) if (file !== undefined) statsOf(file, 'Use a file in PEM format.')
  return {
    to,
    ...(headers !== undefined && { headers }),
    ...(instance !== undefined && { instance }),
    ...(label !== undefined && { labels: labelsOf(label) }),
    ...(facility !== undefined && { facility }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  }
}

/** The value from the environment, for `nomen serve`, which does not have these flags. */
export function fromEnvironment(flag: string): string | undefined {
  const variable = shipFlags.find(({ name }) => name === flag)?.environment
  return variable === undefined ? undefined : environmentValue(variable)
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [, name, value] = /^\s*([A-Za-z_][\w.]*)=(.+?)\s*$/.exec(pair) ?? []
      if (name === undefined || value === undefined)
        throw new CommandError(`"${pair}" is not a label.`, 'Write labels as --label name=value,name=value.')
      return [name, value]
    }),
  )
}
