import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readArguments } from '../command.ts'
import { consoleFlags, readBranding } from './console.ts'

function branding(...argv: readonly string[]) {
  return readBranding(readArguments(consoleFlags, argv))
}

describe('the branding of the console', () => {
  it('consists of the flags that are set', () => {
    const logo = fileURLToPath(new URL('../../../../docs/picture.svg', import.meta.url))
    expect(branding()).toEqual({})
    expect(branding('--console-environment', 'staging')).toEqual({ consoleBranding: { environment: 'staging' } })
    expect(branding('--console-title', 'People', '--console-accent', '#0b7285', '--console-logo', logo)).toEqual({
      consoleBranding: { title: 'People', accent: '#0b7285', logo },
    })
  })

  it('has a color in hexadecimal and an existing logo', () => {
    expect(() => branding('--console-accent', 'teal')).toThrow(
      '--console-accent must be a color as #rrggbb, such as #0b7285, but is "teal".',
    )
    expect(() => branding('--console-logo', 'nothing.svg')).toThrow(
      '--console-logo is "nothing.svg", which is not a file.',
    )
    expect(() => branding('--console-logo', 'package.json')).toThrow(
      '--console-logo must be a file that ends in .svg, .png, .jpg, .jpeg, .webp, .gif, but is "package.json".',
    )
  })
})
