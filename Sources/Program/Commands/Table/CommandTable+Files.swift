/// Commands about presets and the music library.
extension CommandTable {
  static let check = CommandDescription(
    .check, .presets, [Positional("PRESET", .oneOrMore, presetName)],
    flags: [.live, .server, .presets, .config], exitCodes: [.badPreset, .unreadableFile, .unavailable],
    "reports every problem in a preset, with line and key",
    examples: [
      .init("multiroute check show.json", "prints nothing and ends with 0 if the preset is correct"),
      .init(
        "multiroute check --live show.json",
        "names each glob that matches no port, and each cable that leads past the router"),
    ]
  )

  static let presets = CommandDescription(
    .presets, .presets,
    [
      Positional(
        "[JOB PRESET]", .any,
        "show prints, new makes one from what is connected, preview tells what a recall would change; store, update, delete; versions, and restore with a number behind."
      )
    ],
    flags: [.plan, .svg, .wirePlumber, .title, .server, .dropComments, .presets, .config] + clientFlags,
    exitCodes: [.failure, .badPreset, .unreadableFile, .unavailable],
    "lists the available presets with their titles, prints one, tells what its recall would change, or writes one",
    details: [
      "new needs a JACK server and no router. Programs are then heard at the first output, 20 dB down; inputs are in comments, so that nothing can howl.",
      "preview asks the running router, which changes nothing.",
      "store and update have the running router write its present settings. versions lists ten earlier versions, restore brings one back, also after delete.",
      "The drawings of --plan and --svg need no router and no audio server.",
      "The script of --wireplumber keeps PipeWire's session manager from connecting the programs of exclusive streams. Its first lines say where to save it.",
    ],
    examples: [
      .init("multiroute presets show podcast", "prints the file"),
      .init("multiroute presets show podcast --plan", "draws what is routed where"),
      .init("multiroute presets show podcast --svg > podcast.svg", "the same as a picture"),
      .init(
        "multiroute presets new my-show",
        "writes my-show.json into your preset folder, from what is connected"),
      .init("multiroute presets show podcast --wireplumber", "prints the script"),
      .init("multiroute presets preview act-2", "tells before GO what it will do"),
      .init(
        "multiroute presets store act-3 --title 'Act 3: the storm'", "writes what is heard now as a scene"),
      .init("multiroute presets restore act-3 2", "brings back version 2"),
    ])

  static let library = CommandDescription(
    .library, .music,
    [
      Positional(
        "JOB", .oneOrMore,
        "scan; find and a query; show, or show and a list (songs, albums, artists, genres, composers, podcasts, audiobooks, compilations, playlists, unusable), a file, folder, playlist, query or id."
      )
    ],
    flags: [.media, .state, .config, .from, .count, .json],
    exitCodes: [.failure, .badPreset, .unreadableFile],
    "looks through the media folders, and searches and lists the music in them",
    details: [
      "This command uses the library of a running router, beside it or without one. scan opens only changed files. find and show end with 1 if there is nothing to print.",
      "A query is words, and fields with values: title, artist, album, albumartist, genre, composer, folder, playlist, podcast, audiobook, compilation, id.",
      "The last column of a list is what a player's queue takes.",
    ],
    examples: [
      .init("multiroute library scan --media ~/Music", "reads what has changed in another folder"),
      .init("multiroute library find blue train", "songs with these words, or words that begin so"),
      .init("multiroute library find album:Kind of Blue artist:Miles Davis", "an album, in its order"),
      .init("multiroute library show albums --from 100", "the second hundred albums"),
      .init(
        "multiroute library show Walk-in.m3u8", "what a queue would play of a playlist, and what it refuses"),
    ])
}
