/** How a dataset's time is told: its zone, weeks and fiscal year. */
import { Card, Group, Select, SimpleGrid, Title } from "@mantine/core";
import { useState } from "react";
import { Correct } from "./correct";
import { type Catalog, MONTHS, onlyTold, readTold, shownText, told, WEEKDAYS } from "./terms";
import { Value } from "./value";

const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];

const numbered = (names: readonly string[]) =>
  names.map((label, at) => ({ value: String(at + 1), label }));

const byNumber = (names: readonly string[]) =>
  Object.fromEntries(names.map((name, at) => [String(at + 1), name]));

export function Calendar({ uploadId, catalog }: { uploadId: string; catalog: Catalog }) {
  const { time_zone, first_day_of_week, first_month_of_fiscal_year } = catalog;
  const before = {
    zone: time_zone.corrected ? shownText(time_zone.value) : "",
    day: first_day_of_week.corrected ? shownText(first_day_of_week.value) : "",
    month: first_month_of_fiscal_year.corrected ? shownText(first_month_of_fiscal_year.value) : "",
  };
  const [form, setForm] = useState(before);
  return (
    <Card component="section" aria-label="Calendar">
      <Group justify="space-between" mb="sm">
        <Title order={2} fz="md">
          Calendar
        </Title>
        <Correct
          uploadId={uploadId}
          title="Correct the calendar"
          label="Correct"
          heard="Correct the calendar"
          onOpen={() => setForm(before)}
          patch={() =>
            onlyTold({
              time_zone: told(form.zone, time_zone),
              first_day_of_week: readTold(told(form.day, first_day_of_week), Number),
              first_month_of_fiscal_year: readTold(
                told(form.month, first_month_of_fiscal_year),
                Number,
              ),
            })
          }
        >
          <Select
            label="Time zone"
            description="Decides on which day and in which month a moment is"
            placeholder={shownText(time_zone.inferred)}
            searchable
            clearable
            data={ZONES}
            value={form.zone || null}
            onChange={(zone) => setForm({ ...form, zone: zone ?? "" })}
          />
          <Select
            label="First day of the week"
            placeholder={byNumber(WEEKDAYS)[shownText(first_day_of_week.inferred)]}
            clearable
            data={numbered(WEEKDAYS)}
            value={form.day || null}
            onChange={(day) => setForm({ ...form, day: day ?? "" })}
          />
          <Select
            label="First month of the fiscal year"
            placeholder={byNumber(MONTHS)[shownText(first_month_of_fiscal_year.inferred)]}
            clearable
            data={numbered(MONTHS)}
            value={form.month || null}
            onChange={(month) => setForm({ ...form, month: month ?? "" })}
          />
        </Correct>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Value label="Time zone" item={time_zone} />
        <Value label="First day of the week" item={first_day_of_week} names={byNumber(WEEKDAYS)} />
        <Value
          label="First month of the fiscal year"
          item={first_month_of_fiscal_year}
          names={byNumber(MONTHS)}
        />
      </SimpleGrid>
    </Card>
  );
}
