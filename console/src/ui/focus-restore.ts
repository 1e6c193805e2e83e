/** Keeps the focus near a control that goes away, or with the page where all of it goes. */
import { type RefObject, useLayoutEffect } from "react";

const PLACES = "tr, section, [role=tabpanel], main";

export function useFocusRestore(control: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const places: HTMLElement[] = [];
    const { current } = control;
    for (let at = current?.parentElement; at; at = at.parentElement) {
      if (at.matches(PLACES)) places.push(at);
    }
    return () => {
      setTimeout(() => {
        const isLost = document.activeElement === document.body && !current?.isConnected;
        if (isLost) focusElement(places.find((place) => place.isConnected));
      });
    };
  }, [control]);
}

export function focusElement(place: HTMLElement | null | undefined) {
  if (place && place.tabIndex < 0) place.setAttribute("tabindex", "-1");
  place?.focus({ preventScroll: true });
}
