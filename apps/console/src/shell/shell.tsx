/** The frame: nouns on the left, the way to the present place on top, and the place itself. */
import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { placeOf } from '../model/address.ts'
import { Icon } from '../view/icon.tsx'
import { useConsole } from '../wire/console-context.ts'
import type { Named } from '../wire/load.ts'
import { useAddress } from '../wire/router.ts'
import { Crumbs } from './crumbs.tsx'
import { Navigation } from './navigation.tsx'
import { PlaceView } from './place-view.tsx'
import { useSignIn } from './use-sign-in.ts'

const RequestPanel = lazy(() => import('../requests/request-panel.tsx'))
const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'))

export function Shell({ settings }: { readonly settings: Named }) {
  const { service } = useConsole()
  const { path } = useAddress()
  const place = placeOf(service, path)
  const [isNavigating, navigation] = useDisclosure(false)
  const [isWatching, watching] = useDisclosure(false)
  const [wasWatched, setWatched] = useState(false)
  const signIn = useSignIn(settings)
  useHotkeys([['mod+period', watching.toggle]])
  // biome-ignore lint/correctness/useExhaustiveDependencies: wherever one arrives, the menu has done its work
  useEffect(navigation.close, [path])
  useEffect(() => {
    const names = { usage: 'Usage', operations: 'Operations', empty: undefined, unknown: undefined }
    const name = 'collection' in place ? place.collection.title : names[place.kind]
    document.title = name ? `${name} · ${service.title}` : service.title
  }, [place, service])
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isNavigating } }}
      padding="md"
    >
      <button type="button" className="skip" onClick={skip}>
        Skip to the content
      </button>
      <AppShell.Header className="header">
        <Group h="100%" px="sm" gap="xs" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={isNavigating}
              onClick={navigation.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label="Navigation"
            />
            <Crumbs place={place} />
          </Group>
          <Group gap={4} wrap="nowrap">
            {signIn.isOffered && (
              <Tooltip label={signIn.isSignedIn ? 'Signed in' : 'Sign in'}>
                <ActionIcon
                  variant={signIn.isSignedIn ? 'light' : 'subtle'}
                  size="lg"
                  aria-label={signIn.isSignedIn ? 'Signed in' : 'Sign in'}
                  onClick={signIn.ask}
                >
                  <Icon sign="key" size={18} />
                </ActionIcon>
              </Tooltip>
            )}
            <RequestsButton
              isOpen={isWatching}
              onClick={() => {
                setWatched(true)
                watching.toggle()
              }}
            />
            <SchemeSwitch />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="navbar">
        <Navigation place={place} docs={settings.docs} />
        <Text size="xs" c="dimmed" p="sm" mt="auto">
          {service.apis.map(({ base }) => base).filter((one, index, all) => all.indexOf(one) === index)[0]}
        </Text>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className="main">
        <PlaceView place={place} />
      </AppShell.Main>
      {(isWatching || wasWatched) && (
        <Suspense>
          <RequestPanel isOpen={isWatching} onClose={watching.close} />
        </Suspense>
      )}
      {signIn.isAsking && (
        <Suspense>
          <SignInDialog signIn={signIn} />
        </Suspense>
      )}
    </AppShell>
  )
}

/** By itself it follows what is asked: the page around it need not be drawn anew with every request. */
function RequestsButton({ isOpen, onClick }: { readonly isOpen: boolean; onClick(): void }) {
  const { wire } = useConsole()
  const made = useSyncExternalStore(wire.subscribe, wire.made)
  return (
    <Tooltip label="Requests that this page has made (Ctrl .)">
      <ActionIcon
        variant={isOpen ? 'light' : 'subtle'}
        size="lg"
        aria-label={`Requests, ${made} made`}
        aria-expanded={isOpen}
        onClick={onClick}
      >
        <Icon sign="requests" size={18} />
      </ActionIcon>
    </Tooltip>
  )
}

/** A link within the page would change the hash, which is the address of the view. */
function skip(): void {
  document.getElementById('main')?.focus()
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <Tooltip label={`${other === 'dark' ? 'Dark' : 'Light'}`}>
      <ActionIcon variant="subtle" size="lg" aria-label={`Show in ${other}`} onClick={() => setColorScheme(other)}>
        <Icon sign={other === 'dark' ? 'moon' : 'sun'} size={18} />
      </ActionIcon>
    </Tooltip>
  )
}
