/** Types of the contract's scalars; any other is what JSON has. */
export const JAVA_SCALARS: Readonly<Record<string, string>> = {
  BigInt: 'java.math.BigInteger',
  Date: 'java.time.LocalDate',
  DateTime: 'java.time.OffsetDateTime',
  Decimal: 'java.math.BigDecimal',
  EmailAddress: 'java.lang.String',
  SafeInt: 'java.lang.Long',
  URL: 'java.net.URI',
};
