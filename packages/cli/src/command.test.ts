import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Flag, readArguments } from './command.ts'

const flags: readonly Flag[] = [
  { name: 'port', environment: 'PORT', value: 'number', about: '' },
  { name: 'watch', about: '' },
]

describe('arguments', () => {
  it('after -- are not flags', () => {
    const args = readArguments(flags, ['--watch', '--', '--port', '-notes.csv'], 'any')
    expect(args.positionals).toEqual(['--port', '-notes.csv'])
    expect([args.isOn('watch'), args.isOn('port')]).toEqual([true, false])
  })

  it('with an empty value come from the variable, which messages name', () => {
    vi.stubEnv('PORT', '3001')
    onTestFinished(() => void vi.unstubAllEnvs())
    const args = readArguments(flags, ['--port='])
    expect([args.text('port'), args.source('port')]).toEqual(['3001', 'PORT'])
  })
})
