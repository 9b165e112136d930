// The subjects of the page, each a place in its navigation. A file of the folder `elements` adds one:
//
//     subject({ id: "mixer", title: "Mixer", icon: "mixer", tag: "mr-mixer", order: 10 });

export const subjects = [];

/** Adds a subject: the part of the page's address behind #/, its title, a drawing of `icons`, its element, and its place in the navigation. */
export function subject(description) {
  subjects.push(description);
  subjects.sort((one, other) => one.order - other.order);
}
