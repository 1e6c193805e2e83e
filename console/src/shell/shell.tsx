/** The frame around every page: where you are, where you can go, who you are. */
import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Button,
  Group,
  Stack,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCloudUpload, IconLogout, IconMoon, IconSun } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Outlet, useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { messageOf } from "../api/problem";
import { userQuery } from "../api/queries";
import { signOut } from "../session/auth";
import { useCredentials } from "../session/credentials";
import { ChangePassword } from "../session/new-password";
import { useCanWrite } from "../session/write-access";
import { focusElement } from "../ui/focus-restore";
import { LinkItem } from "../ui/links";
import { Logo } from "../ui/logo";
import { percent, plural } from "../ui/number-format";
import { shareOf, useUploadQueue } from "../uploads/upload-queue";
import { navGroupsFor } from "./nav-items";
import { OfflineBanner } from "./offline-banner";

export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const groups = navGroupsFor(useCredentials());
  useFoundFocus();
  const opener = useRef<HTMLButtonElement>(null);
  // What has the focus in the menu goes out of sight with it, where there is little room.
  const leaveFor = (place: HTMLElement | null) => {
    if (!isOpen) return;
    close();
    focusElement(place);
  };
  return (
    <AppShell
      layout="alt"
      padding={{ base: "md", sm: "xl" }}
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
    >
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" gap="sm">
          <Burger
            ref={opener}
            opened={isOpen}
            onClick={toggle}
            size="sm"
            aria-label="Open the menu"
          />
          <Logo size={24} />
          <Text fw={650}>Modelwright</Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="md" aria-label="Main" data-closed={!isOpen || undefined}>
        <Group gap="sm" mb="lg" px="xs">
          <Burger
            opened={isOpen}
            onClick={() => leaveFor(opener.current)}
            size="sm"
            hiddenFrom="sm"
            aria-label="Close the menu"
          />
          <Logo />
          <Text fw={650} fz="lg">
            Modelwright
          </Text>
        </Group>
        <Stack gap="md" flex={1}>
          {groups.map(({ title, items }) => (
            <Stack key={title} gap={2} role="group" aria-label={title}>
              <Text size="xs" c="dimmed" fw={550} px="sm" pb={2} aria-hidden>
                {title}
              </Text>
              {items.map(({ to, label, icon: Sign }) => (
                <LinkItem
                  key={to}
                  to={to}
                  label={label}
                  activeOptions={{ exact: to === "/" }}
                  activeProps={{ active: true, "aria-current": "page" }}
                  leftSection={<Sign size={19} stroke={1.7} aria-hidden />}
                  onClick={() => leaveFor(document.getElementById("content"))}
                  style={{ borderRadius: 8 }}
                />
              ))}
            </Stack>
          ))}
        </Stack>
        <UploadIndicator />
        <Account />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <div style={{ maxWidth: 1080, margin: "0 auto" }}>
          <Outlet />
        </div>
      </AppShell.Main>
      <OfflineBanner />
    </AppShell>
  );
}

/** Where what was followed went with its page, the new page has the focus. */
function useFoundFocus() {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        const isFollowed = fromLocation !== undefined && pathChanged;
        const isLost = isFollowed && document.activeElement === document.body;
        if (isLost) focusElement(document.getElementById("content"));
      }),
    [router],
  );
}

/** Uploads go on while other pages are looked at; how far they are is seen on each. */
function UploadIndicator() {
  const sending = useUploadQueue().filter(
    ({ state }) => state === "sending" || state === "waiting",
  );
  if (sending.length === 0) return null;
  const share = sending.reduce((sum, one) => sum + shareOf(one), 0) / sending.length;
  return (
    <LinkItem
      to="/uploads"
      label={`Uploading ${plural(sending.length, "dataset")}`}
      description={percent(share, 0)}
      leftSection={<IconCloudUpload size={19} stroke={1.7} aria-hidden />}
      style={{ borderRadius: 8 }}
    />
  );
}

function Account() {
  const user = useQuery(userQuery);
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  const { way } = useCredentials();
  const leave = useMutation({ mutationFn: signOut });
  const turn = isDark ? "Light colours" : "Dark colours";
  return (
    <Stack gap={4} px="xs" pt="md">
      <Text size="sm" c="dimmed" truncate title={user.data?.email}>
        {user.data?.email}
      </Text>
      {useCanWrite() ? null : <Badge color="gray">this key may only read</Badge>}
      <Group justify="space-between" wrap="nowrap">
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          ml={-8}
          leftSection={<IconLogout size={18} aria-hidden />}
          onClick={() => leave.mutate()}
        >
          Sign out
        </Button>
        <Group gap={4} wrap="nowrap">
          {way === "cookie" ? <ChangePassword /> : null}
          <Tooltip label={turn}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={turn}
              onClick={() => setColorScheme(isDark ? "light" : "dark")}
            >
              {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      {leave.error ? (
        <Text size="xs" c="red" role="alert">
          You are still signed in. {messageOf(leave.error)}
        </Text>
      ) : null}
    </Stack>
  );
}
