#pragma once
#include <lilv-0/lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/options/options.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>

#include "../functions.h"

#define MR_LILV(use) \
  use(lilv_world_new) use(lilv_world_free) use(lilv_world_load_all) use(lilv_world_load_bundle) use(lilv_world_load_specifications) \
  use(lilv_world_load_plugin_classes) use(lilv_world_get_all_plugins) use(lilv_world_load_resource) \
  use(lilv_world_get) use(lilv_world_ask) use(lilv_new_uri) use(lilv_new_file_uri) use(lilv_node_free) use(lilv_node_as_uri) \
  use(lilv_node_as_string) use(lilv_node_as_float) use(lilv_node_is_float) use(lilv_node_is_int) use(lilv_node_is_uri) \
  use(lilv_file_uri_parse) use(lilv_free) \
  use(lilv_nodes_begin) use(lilv_nodes_is_end) use(lilv_nodes_next) use(lilv_nodes_get) use(lilv_nodes_free) \
  use(lilv_plugins_get_by_uri) use(lilv_plugins_begin) use(lilv_plugins_is_end) use(lilv_plugins_next) use(lilv_plugins_get) \
  use(lilv_plugin_get_uri) use(lilv_plugin_get_name) use(lilv_plugin_get_class) use(lilv_plugin_class_get_label) \
  use(lilv_plugin_get_library_uri) use(lilv_plugin_get_bundle_uri) use(lilv_plugin_get_required_features) \
  use(lilv_plugin_get_value) use(lilv_plugin_get_num_ports) use(lilv_plugin_get_port_by_index) use(lilv_plugin_get_related) \
  use(lilv_plugin_has_feature) use(lilv_plugin_instantiate) use(lilv_instance_free) \
  use(lilv_port_get_symbol) use(lilv_port_get_name) use(lilv_port_get) use(lilv_port_is_a) use(lilv_port_has_property) \
  use(lilv_port_get_range) use(lilv_port_get_scale_points) use(lilv_scale_points_begin) use(lilv_scale_points_is_end) \
  use(lilv_scale_points_next) use(lilv_scale_points_get) use(lilv_scale_points_free) use(lilv_scale_point_get_label) \
  use(lilv_scale_point_get_value) \
  use(lilv_state_new_from_world) use(lilv_state_restore) use(lilv_state_free)
MR_FUNCTIONS(mr_lilv, MR_LILV)
