/** The frame of the page: navigation, breadcrumbs, and the current view. */
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
import { text } from '../language/language.ts'
import { routeOf } from '../model/address.ts'
import { Icon } from '../view/icon.tsx'
import { useConsole } from '../wire/console-context.ts'
import type { Named } from '../wire/load.ts'
import { useAddress } from '../wire/router.ts'
import { Crumbs } from './crumbs.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { Navigation } from './navigation.tsx'
import { RouteView } from './route-view.tsx'
import { useSignIn } from './use-sign-in.ts'

const RequestPanel = lazy(() => import('../requests/request-panel.tsx'))
const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'))

export function Shell({ settings }: { readonly settings: Named }) {
  const { service } = useConsole()
  const { path } = useAddress()
  const route = routeOf(service, path)
  const [isNavigating, navigation] = useDisclosure(false)
  const [isWatching, watching] = useDisclosure(false)
  const [wasWatched, setWatched] = useState(false)
  const signIn = useSignIn(settings)
  const signInTitle = signIn.isSignedIn ? text().shell.signedIn : text().shell.signIn
  useHotkeys([['mod+period', watching.toggle]])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the path changes
  useEffect(navigation.close, [path])
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isNavigating } }}
      padding="md"
    >
      <button type="button" className="skip" onClick={skip}>
        {text().shell.skip}
      </button>
      <AppShell.Header className="header">
        <Group h="100%" px="sm" gap="xs" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={isNavigating}
              onClick={navigation.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={text().shell.navigation}
            />
            <Crumbs route={route} />
          </Group>
          <Group gap={4} wrap="nowrap">
            {signIn.isOffered && (
              <Tooltip label={signInTitle}>
                <ActionIcon
                  variant={signIn.isSignedIn ? 'light' : 'subtle'}
                  size="lg"
                  aria-label={signInTitle}
                  onClick={signIn.open}
                >
                  <Icon name="key" size={18} />
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
            <LanguageMenu />
            <SchemeSwitch />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="navbar">
        <Navigation route={route} docs={settings.docs} />
        <Text size="xs" c="dimmed" p="sm" mt="auto">
          {service.apis.map(({ base }) => base).filter((base, index, all) => all.indexOf(base) === index)[0]}
        </Text>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className="main">
        <RouteView route={route} />
      </AppShell.Main>
      {(isWatching || wasWatched) && (
        <Suspense>
          <RequestPanel isOpen={isWatching} onClose={watching.close} />
        </Suspense>
      )}
      {signIn.isOpen && (
        <Suspense>
          <SignInDialog signIn={signIn} />
        </Suspense>
      )}
    </AppShell>
  )
}

/** A component of its own, so that the page around it does not render again with every request. */
function RequestsButton({ isOpen, onClick }: { readonly isOpen: boolean; onClick(): void }) {
  const { wire } = useConsole()
  const count = useSyncExternalStore(wire.subscribe, wire.requestCount)
  return (
    <Tooltip label={text().shell.requestsTooltip}>
      <ActionIcon
        variant={isOpen ? 'light' : 'subtle'}
        size="lg"
        aria-label={text().shell.requests(count)}
        aria-expanded={isOpen}
        onClick={onClick}
      >
        <Icon name="requests" size={18} />
      </ActionIcon>
    </Tooltip>
  )
}

/** A link to #main would change the hash, which is the URL of the view. */
function skip(): void {
  document.getElementById('main')?.focus()
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const otherScheme = scheme === 'dark' ? 'light' : 'dark'
  return (
    <Tooltip label={otherScheme === 'dark' ? text().shell.dark : text().shell.light}>
      <ActionIcon
        variant="subtle"
        size="lg"
        aria-label={otherScheme === 'dark' ? text().shell.useDark : text().shell.useLight}
        onClick={() => setColorScheme(otherScheme)}
      >
        <Icon name={otherScheme === 'dark' ? 'moon' : 'sun'} size={18} />
      </ActionIcon>
    </Tooltip>
  )
}
