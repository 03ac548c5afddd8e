/** The settings of shipping: flags of `nomen ship`, and for `nomen serve` the variables of the environment alone. */
import type { ShipSettings } from '@nomen/server/ship'
import type { Flag } from '../command.ts'
import { CommandError } from '../command-error.ts'

export const shipFlags: readonly Flag[] = [
  {
    name: 'instance',
    environment: 'SHIP_INSTANCE',
    value: 'name',
    about: 'what tells this instance from others, the name of the machine unless given',
  },
  {
    name: 'label',
    environment: 'SHIP_LABELS',
    value: 'name=value,…',
    about: 'more of the kind, such as region=eu; values that are few',
  },
  { name: 'facility', environment: 'SHIP_FACILITY', value: 'name', about: 'facility of syslog, local0 unless given' },
  {
    name: 'ca',
    environment: 'SHIP_CA',
    value: 'file',
    about: 'certificate of the authority to trust, in PEM; those of Node unless given',
  },
  { name: 'cert', environment: 'SHIP_CERT', value: 'file', about: 'certificate of this side, where one is asked for' },
  { name: 'key', environment: 'SHIP_KEY', value: 'file', about: 'its key' },
]

/** `text` gives the value of a flag. Headers may hold secrets: the command line, which others can see, takes none. */
export function shipSettings(to: string, text: (flag: string) => string | undefined): ShipSettings {
  const [instance, label, facility] = [text('instance'), text('label'), text('facility')]
  const [ca, cert, key, headers] = [text('ca'), text('cert'), text('key'), process.env.SHIP_HEADERS]
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

/** What the environment says, for a command that has no flags for it. */
export function fromEnvironment(flag: string): string | undefined {
  const variable = shipFlags.find(({ name }) => name === flag)?.environment
  return (variable === undefined ? undefined : process.env[variable]) || undefined
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [, name, value] = /^\s*([A-Za-z_][\w.]*)=(.+?)\s*$/.exec(pair) ?? []
      if (name === undefined || value === undefined)
        throw new CommandError(`"${pair}" is no label.`, 'Give --label as name=value,name=value.')
      return [name, value]
    }),
  )
}
