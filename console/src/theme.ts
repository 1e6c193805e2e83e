/** One calm look: a teal accent, quiet greys, generous space, the reader's own system font. */
import {
  type AutocompleteProps,
  type BadgeProps,
  type ButtonProps,
  type CardProps,
  createTheme,
  type DrawerProps,
  type MantineColorsTuple,
  type ModalProps,
  type SelectProps,
  type TableProps,
  type TooltipProps,
} from "@mantine/core";

const teal: MantineColorsTuple = [
  "#e7f7f9",
  "#d3edf1",
  "#a8dbe2",
  "#79c8d3",
  "#53b8c6",
  "#3aaebe",
  "#2aa9ba",
  "#12808f",
  "#0b7285",
  "#005f70",
];

/** Greys with the page's own cool tint; Mantine's are neutral. */
const dark: MantineColorsTuple = [
  "#d3dadf",
  "#bac3ca",
  "#9aa5ad",
  "#75818a",
  "#3a444c",
  "#2b333a",
  "#1f252a",
  "#171b1f",
  "#111518",
  "#0b0e10",
];

/** The list itself scrolls, which those who use no mouse are told rightly. */
const list = {
  withScrollArea: false,
  styles: { options: { maxHeight: 240, overflowY: "auto" } },
} as const;

const titled = { title: { fontWeight: 650, lineHeight: 1.35, overflowWrap: "anywhere" } } as const;
const dialog = {
  closeButtonProps: { "aria-label": "Close" },
  // Its header is no banner of the page.
  attributes: { header: { role: "none" } },
};

export const theme = createTheme({
  primaryColor: "teal",
  primaryShade: { light: 8, dark: 7 },
  colors: { teal, dark },
  autoContrast: true,
  defaultRadius: "md",
  cursorType: "pointer",
  fontFamily: "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Code', 'DejaVu Sans Mono', monospace",
  headings: { fontWeight: "650" },
  // Named by their types alone: each page brings the components that it shows.
  components: {
    Autocomplete: { defaultProps: list satisfies Partial<AutocompleteProps> },
    Select: { defaultProps: list satisfies Partial<SelectProps> },
    Badge: {
      // A state is read whole: what is narrow wraps it, and never cuts it.
      styles: {
        root: { flexShrink: 0, maxWidth: "100%", height: "auto" },
        label: { whiteSpace: "normal", overflowWrap: "anywhere" },
      },
      defaultProps: { variant: "light", radius: "sm", tt: "none" } satisfies BadgeProps,
    },
    Button: { defaultProps: { fw: 550 } satisfies ButtonProps },
    Card: { defaultProps: { withBorder: true, padding: "lg" } satisfies CardProps },
    Drawer: { styles: titled, defaultProps: dialog satisfies Partial<DrawerProps> },
    Modal: {
      styles: titled,
      defaultProps: { centered: true, radius: "md", ...dialog } satisfies Partial<ModalProps>,
    },
    Table: { defaultProps: { verticalSpacing: "sm" } satisfies TableProps },
    Tooltip: {
      defaultProps: { withArrow: true, openDelay: 300 } satisfies Partial<TooltipProps>,
    },
  },
});
