import { array, assert, boolean, nat, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Position, readPositions, writePositions } from './position-file.ts'

const position = record({
  key: string(),
  inode: nat(Number.MAX_SAFE_INTEGER),
  head: record({ length: nat(1024), hash: string() }),
  offset: nat(Number.MAX_SAFE_INTEGER),
  isWhole: boolean(),
})

describe('positions', () => {
  it('are read as they were written', () => {
    assert(
      property(array(position), (positions: Position[]) => {
        expect(readPositions(writePositions(positions))).toEqual(positions)
      }),
    )
  })

  it.each(['', '{}', '[]', 'null', '{ "version": 2, "files": [] }', '{ "version": 1, "files": [{ "key": 1 }] }'])(
    'are not read from %s',
    (text) => {
      expect(() => readPositions(text)).toThrow()
    },
  )
})
