/** Mantine's controls as the router's links, so that they work with keyboard, middle click and preload. */
import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  NavLink,
  type NavLinkProps,
} from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import { type AnchorHTMLAttributes, forwardRef } from "react";

type Html<P> = P & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P>;

export const LinkButton = createLink(
  forwardRef<HTMLAnchorElement, Html<ButtonProps>>((props, ref) => (
    <Button component="a" ref={ref} {...props} />
  )),
);

export const LinkAnchor = createLink(
  forwardRef<HTMLAnchorElement, Html<AnchorProps>>((props, ref) => <Anchor ref={ref} {...props} />),
);

export const LinkItem = createLink(
  forwardRef<HTMLAnchorElement, Html<NavLinkProps>>((props, ref) => (
    <NavLink component="a" ref={ref} {...props} />
  )),
);
