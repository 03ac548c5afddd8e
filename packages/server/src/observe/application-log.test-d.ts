import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'
import { expectTypeOf, it } from 'vitest'
import type { Settings } from '../settings.ts'

it('a logger of pino, of Fastify, or the console is a log', () => {
  expectTypeOf<Logger>().toExtend<Settings['log']>()
  expectTypeOf<FastifyBaseLogger>().toExtend<Settings['log']>()
  expectTypeOf<Console>().toExtend<Settings['log']>()
})

it('an object without all methods is not a log', () => {
  expectTypeOf<Pick<Logger, 'error'>>().not.toExtend<Settings['log']>()
})
