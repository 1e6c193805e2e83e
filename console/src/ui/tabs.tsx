/** Tabs whose choice stands in the address, so that it outlasts a reload and can be linked. */
import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";

interface PlacedTabsProps {
  /** What each is called, by its name in the address; the first one is open to begin with. */
  tabs: Record<string, string>;
  children: ReactNode;
}

export function PlacedTabs({ tabs, children }: PlacedTabsProps) {
  const { tab } = useSearch({ strict: false });
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const names = Object.keys(tabs);
  const chosen = names.find((name) => name === tab) ?? names[0] ?? "";
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is chosen
  useEffect(() => {
    const shown = list.current?.querySelector("[aria-selected=true]");
    shown?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [chosen]);
  return (
    <Tabs
      value={chosen}
      onChange={(name) =>
        void navigate({
          to: ".",
          search: (before) => ({ ...before, tab: name ?? "" }),
          replace: true,
          resetScroll: false,
        })
      }
      keepMounted={false}
    >
      <Tabs.List mb="md" className="scrolling-tabs" ref={list}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {tabs[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {children}
    </Tabs>
  );
}
