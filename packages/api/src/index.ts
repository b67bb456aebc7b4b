export * from "./call.ts";
export * from "./accounts.ts";
