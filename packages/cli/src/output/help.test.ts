import { describe, expect, it } from 'vitest'
import { commands } from '../main.ts'
import { helpText } from './help.ts'

const loaded = await Promise.all(commands.map(({ load }) => load()))

describe.each(loaded)('the help of nomen $name', (command) => {
  it.each([80, 120])('fits %i columns, apart from indented examples', (width) => {
    const examples = `${command.description}\n${command.notes ?? ''}`.split('\n').filter((line) => line.startsWith(' '))
    const long = helpText(command, width)
      .split('\n')
      .filter((line) => line.length > width && !examples.includes(line) && !line.startsWith('Usage: '))
    expect(long).toEqual([])
  })

  it('has every flag once, with its variable', () => {
    const text = helpText(command, 120).replace(/\s+/g, ' ')
    for (const { name, value, environment, about } of command.flags) {
      const usage = `--${name} ${value === undefined ? '' : `<${value}> `}${about}`
      expect(text.split(usage)).toHaveLength(2)
      if (environment !== undefined) expect(text).toContain(`${usage} (${environment})`)
    }
  })
})

describe('the help of nomen serve', () => {
  it('lists the flags in groups', () => {
    const serve = loaded.find(({ name }) => name === 'serve')
    const lines = serve ? helpText(serve, 120).split('\n') : []
    const headings = lines.filter((line, index) => /^\S/.test(line) && lines[index + 1]?.startsWith('  --'))
    expect(headings).toEqual([
      'HTTP',
      'Processes',
      'Database',
      'Authentication',
      'Console',
      'Log, usage and metrics',
      'Limits',
      'Webhooks',
    ])
    expect(lines[lines.indexOf('Database') + 1]).toContain(' --database <URL> ')
  })
})
