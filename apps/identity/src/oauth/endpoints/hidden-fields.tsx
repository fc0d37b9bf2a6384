/** Values that a form sends back as they are. */
export const HiddenFields = ({ fields }: { fields: Partial<Record<string, string>> }) => (
  <>
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);
