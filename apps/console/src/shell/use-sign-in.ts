/** Signing in, where the service wants to know who asks. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { securityOf } from '../model/service/security.ts'
import { useConsole } from '../wire/console-context.ts'
import type { Named } from '../wire/load.ts'
import { session } from '../wire/session.ts'

export interface SignIn {
  /** The service knows tokens, or has just asked for one. */
  readonly isOffered: boolean
  readonly isSignedIn: boolean
  readonly isAsking: boolean
  /** The service did not take the token that it was shown. */
  readonly isRefused: boolean
  /** The host that signs people in; undefined where a token must be pasted. */
  readonly provider: string | undefined
  /** Where the token is sent to. */
  readonly bases: readonly string[]
  ask(): void
  close(): void
  paste(token: string): void
  leave(): void
  toProvider(): Promise<void>
}

export function useSignIn({ clientId = 'nomen-console', issuer, audience, scope, isNamedByLink }: Named): SignIn {
  const { service, wire } = useConsole()
  const queries = useQueryClient()
  const [base, setBase] = useState(service.apis[0]?.base ?? '')
  const binding = wire.bindingOf(base)
  const { openIdConnectUrl, takesToken, scopes } = securityOf(service, binding.bases, issuer)
  const [isAsking, setAsking] = useState(false)
  const [, setRound] = useState(0)
  const [isRefused, setRefused] = useState(false)
  const ask = useCallback(() => setAsking(true), [])
  useEffect(() => {
    wire.onUnauthorized = ({ base: asked, token }) => {
      session.refuse(wire.bindingOf(asked), token)
      setBase(asked)
      setRefused(token !== undefined)
      ask()
    }
  }, [wire, ask])
  const change = (work: () => void) => {
    work()
    setRefused(false)
    setAsking(false)
    setRound((before) => before + 1)
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'service' })
  }
  return {
    isOffered: takesToken || session.isSignedIn(binding) || isAsking,
    isSignedIn: session.isSignedIn(binding),
    isAsking,
    isRefused,
    provider: openIdConnectUrl && new URL(openIdConnectUrl).origin,
    bases: binding.bases,
    ask,
    close: () => setAsking(false),
    paste: (token) => change(() => session.paste(binding, token)),
    leave: () => change(() => session.leave(binding)),
    toProvider: async () => {
      if (openIdConnectUrl !== undefined)
        await session.begin(binding, {
          url: openIdConnectUrl,
          isNamedByLink: isNamedByLink && issuer === undefined,
          clientId,
          // Usage stands in no document.
          scope: scope ?? ['openid', 'profile', ...scopes, ...(scopes.length > 0 ? ['usage:read'] : [])].join(' '),
          audience,
        })
    },
  }
}
