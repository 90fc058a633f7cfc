import { expect, test } from "vitest";
import { placeOf, queryText } from "./router";

test("a path is read below its mount point", () => {
  expect(placeOf("/tools/postrider/messages/4711", "", "/tools/postrider/").path).toEqual(["messages", "4711"]);
});

test("encoded parts are decoded, broken ones stay", () => {
  expect(placeOf("/messages/a%2Fb/%E0%A4%A", "", "/").path).toEqual(["messages", "a/b", "%E0%A4%A"]);
});

test("the mount point itself is the overview", () => {
  expect(placeOf("/postrider/", "?window=1h", "/postrider/")).toMatchObject({ path: [] });
});

test("empty and undefined values stay out of an address", () => {
  expect(queryText({ filter: "key:a b", cursor: undefined, limit: 50, order: "" })).toBe("?filter=key%3Aa+b&limit=50");
});
