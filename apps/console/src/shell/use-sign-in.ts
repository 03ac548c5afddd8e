/** Signing in, where the service wants to know who asks. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { securityOf } from '../model/security.ts'
import { useConsole } from '../wire/console-context.ts'
import type { Settings } from '../wire/load.ts'
import { session } from '../wire/session.ts'

export interface SignIn {
  /** The service knows tokens, or has just asked for one. */
  readonly isOffered: boolean
  readonly isSignedIn: boolean
  readonly isAsking: boolean
  /** The service did not take the token that it was shown. */
  readonly isRefused: boolean
  readonly hasProvider: boolean
  ask(): void
  close(): void
  paste(token: string): void
  leave(): void
  toProvider(): Promise<void>
}

export function useSignIn({ clientId = 'nomen-console', issuer, audience, scope }: Settings): SignIn {
  const { service, wire } = useConsole()
  const queries = useQueryClient()
  const { openIdConnectUrl = issuer && discoveryOf(issuer), takesToken, scopes } = securityOf(service)
  const [isAsking, setAsking] = useState(false)
  const [, setRound] = useState(0)
  const [isRefused, setRefused] = useState(false)
  const ask = useCallback(() => setAsking(true), [])
  useEffect(() => {
    wire.onUnauthorized = (token) => {
      session.refuse(token)
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
    isOffered: takesToken || session.isSignedIn || isAsking,
    isSignedIn: session.isSignedIn,
    isAsking,
    isRefused,
    hasProvider: openIdConnectUrl !== undefined,
    ask,
    close: () => setAsking(false),
    paste: (token) => change(() => session.paste(token)),
    leave: () => change(() => session.leave()),
    toProvider: async () => {
      if (openIdConnectUrl !== undefined)
        await session.begin(openIdConnectUrl, {
          clientId,
          // Usage stands in no document.
          scope: scope ?? ['openid', 'profile', ...scopes, ...(scopes.length > 0 ? ['usage:read'] : [])].join(' '),
          audience,
        })
    },
  }
}

/** Where an issuer describes itself. */
function discoveryOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}
