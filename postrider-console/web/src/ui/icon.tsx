const PATHS = {
  check: "M3 8.5l3.2 3.2L13 4.8",
  clock: "M8 1.8a6.2 6.2 0 100 12.4A6.2 6.2 0 008 1.8zM8 4.6V8l2.4 1.6",
  retry: "M13 8a5 5 0 11-1.6-3.7M13 2.2v2.6h-2.6",
  cross: "M4 4l8 8M12 4l-8 8",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M5 3l7.5 5L5 13z",
  warn: "M8 2L1.8 13.2h12.4zM8 6.4v3.2M8 11.6v.1",
  overview: "M2 13.5h12M3.5 11V8.5M8 11V3M12.5 11V6",
  messages: "M2 4h12v8.5H2zM2 4.5l6 4.5 6-4.5",
  dead: "M4 4l8 8M12 4l-8 8",
  relays: "M3 3.5h10v3.5H3zM3 9h10v3.5H3zM5.2 5.2v.1M5.2 10.7v.1",
  topics: "M3 8h4M7 8l5-4M7 8l5 4M7 8h6",
  keys: "M5.2 7.5V5.3a2.8 2.8 0 015.6 0v2.2M3.5 7.5h9v6h-9z",
  inbox: "M2 9l2-5.5h8L14 9v3.8H2zM2 9h3.5l1 1.6h3L10.5 9H14",
  sagas: "M2 5.5h3.2v5H2zM10.8 5.5H14v5h-3.2zM5.2 8h5.6",
  alerts: "M4 11.5V7a4 4 0 018 0v4.5l1 1H3zM6.8 14h2.4",
  bulk: "M2 4h12M2 8h12M2 12h7",
  audit: "M4 2h8v12H4zM6.2 5.2h3.6M6.2 8h3.6M6.2 10.8h2",
  settings: "M2 5h7M12 5h2M2 11h2M7 11h7M10.5 3.3v3.4M5.5 9.3v3.4",
  dev: "M5.5 4L1.8 8l3.7 4M10.5 4l3.7 4-3.7 4",
  search: "M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zM10.4 10.4L14 14",
  copy: "M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3",
  sun: "M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7",
  moon: "M13 9.6A5.6 5.6 0 016.4 3a5.6 5.6 0 106.6 6.6z",
  system: "M2 3h12v8H2zM6 13.5h4",
  keyboard: "M1.5 4h13v8h-13zM4 6.5v.1M6.7 6.5v.1M9.4 6.5v.1M12 6.5v.1M4.5 9.5h7",
  out: "M6 2.5H3v11h3M9.5 5l3 3-3 3M12.5 8H6",
  down: "M8 2.5v8M4.5 7.5L8 11l3.5-3.5M3 13.5h10",
  dot: "M8 6a2 2 0 100 4 2 2 0 000-4z",
  person: "M8 2.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5zM3 13.5a5 5 0 0110 0",
  chevron: "M4 6l4 4 4-4",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Mark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect class="mark-ground" width="24" height="24" rx="6" />
      <path class="mark-line" d="M5 9h5M4 13h4M6 17h3M13 6l6 6-6 6" />
    </svg>
  );
}
